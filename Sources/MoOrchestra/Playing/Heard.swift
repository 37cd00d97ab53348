import MoCore
import MoMu
import MoSessionCore

/// An event that a member sent to this member: its content, its sender, and its time.
///
/// The properties of the content are available directly, such as `strike.force` of a `Heard<SessionHit>`.
///
/// An event with a beat reaches the callback 0.15 s before this beat, or earlier if sound is computed further in
/// advance. Cues, late events and events without a beat reach the callback on arrival. The callback runs on
/// `mo-session`, or on a thread that makes a request, such as a strike. The callbacks of events run on one thread at a
/// time, but may run at the same time as a callback of `MoSession.onEvent`.
///
/// - Thread: any; a plain value.
@dynamicMemberLookup
public struct Heard<Played: Sendable>: Sendable {
  /// The sender, which can be this member.
  public var from: MemberID
  /// The content of the event, such as a `SessionHit`.
  public var played: Played
  /// The time at which the event is to sound; for a late event, the time at which it should have sounded.
  public var time: HostTime
  /// The beat for which the event was meant; nil if the event was meant to sound immediately.
  public var beat: Double?
  /// The lateness of the event in seconds; 0 if the event came in time.
  ///
  /// The value is infinite if the music never reaches the beat of the event.
  public var late: Double
  /// The weight of the gate that the event passed, 0…1.
  ///
  /// Strikes, notes and melodies are already weakened by this weight. A parameter change is not: see `value(from:)`.
  public var weight: Float

  init(_ heard: SessionHeard, _ played: Played) {
    (from, self.played, time, beat, late) = (heard.from, played, heard.time, heard.beat, heard.late)
    weight = heard.weight
  }

  /// A property of the content.
  public subscript<Part>(dynamicMember part: KeyPath<Played, Part>) -> Part { played[keyPath: part] }
}

extension Heard<SessionChange> {
  /// Returns the parameter's new value: the current value, moved towards the sent value by the gate's weight.
  ///
  /// With a weight of 1, the result is the sent value. With a weight of 0.5, the result is halfway between `current`
  /// and the sent value.
  public func value(from current: Float) -> Float { current + weight * (played.value - current) }
}

/// Callbacks for what other members play, and for what you play for everyone.
extension MoSession {
  /// Calls `callback` for every strike that arrives in time.
  ///
  /// If the strike has a beat and arrives early, the callback runs 0.15 s before this beat, or earlier. The callback
  /// gets the time at which the strike sounds.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, or on a thread that makes a request.
  @discardableResult
  public static func onStrike(_ callback: @escaping @Sendable (Heard<SessionHit>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .hit(let strike) = heard.play, heard.late == 0 { callback(Heard(heard, strike)) }
    }
  }

  /// Calls `callback` for every note that arrives in time, and for every release of a note, even if it arrives late.
  ///
  /// If the note has a beat and arrives early, the callback runs 0.15 s before this beat, or earlier. The callback
  /// gets the time at which the note sounds.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, or on a thread that makes a request.
  @discardableResult
  public static func onNote(_ callback: @escaping @Sendable (Heard<SessionNote>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      guard case .note(let note) = heard.play else { return }
      if heard.late == 0 || note.velocity == 0 { callback(Heard(heard, note)) }
    }
  }

  /// Calls `callback` when a member sets a parameter of your instrument, even if the change arrives late.
  ///
  /// If the change has a beat and arrives early, the callback runs 0.15 s before this beat, or earlier. The callback
  /// gets the time at which the change takes effect.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, or on a thread that makes a request.
  @discardableResult
  public static func onParameter(_ callback: @escaping @Sendable (Heard<SessionChange>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .change(let change) = heard.play { callback(Heard(heard, change)) }
    }
  }

  /// Calls `callback` for every melody, even if it arrives late.
  ///
  /// If the melody has a beat and arrives early, the callback runs 0.15 s before this beat, or earlier. The callback
  /// gets the time at which the melody sounds.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, or on a thread that makes a request.
  @discardableResult
  public static func onMelody(_ callback: @escaping @Sendable (Heard<SessionMelody>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .melody(let melody) = heard.play { callback(Heard(heard, melody)) }
    }
  }

  /// Calls `callback` when a member sends its movement.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, or on a thread that makes a request.
  @discardableResult
  public static func onGesture(_ callback: @escaping @Sendable (Heard<SessionGesture>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if case .gesture(let gesture) = heard.play { callback(Heard(heard, gesture)) }
    }
  }

  /// Calls `callback` for every event that arrives after its beat, or whose beat the music never reaches.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-session`, or on a thread that makes a request.
  @discardableResult
  public static func onLate(_ callback: @escaping @Sendable (Heard<SessionPlay>) -> Void) -> MoToken {
    SessionServer.shared.heard.add { heard in
      if heard.late > 0 { callback(Heard(heard, heard.play)) }
    }
  }
}
