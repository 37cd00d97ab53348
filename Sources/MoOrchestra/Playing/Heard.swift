import MoCore
import MoSessionCore

/// An event that a member sent to this member: its content, its sender, and its time.
///
/// The properties of the content are available directly, such as `hit.force` of a `Heard<SessionHit>`.
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
