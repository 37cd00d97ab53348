import MoCore
import MoDSP
import Synchronization

/// An instrument that plays, from outside: notes, strokes and parameters, each for a moment or for now.
///
/// ```swift
/// let bell = try MoAudio.play(Bell())
/// bell.noteOn(69, velocity: 0.6)
/// bell.playNote(72, for: .milliseconds(250), at: motion.time)
/// try bell.set("brightness", to: 0.9)
/// ```
///
/// There are two kinds of time. `at` is when something was played: the stamp of a key or a motion. It is heard
/// `MoAudio.playThrough` later, or on its line of the `grid`; so strokes keep their spacing. `heardAt` is when something
/// is to reach the ear, such as a beat's moment; what comes too late for that is heard at once. If both are left out,
/// it is played now.
///
/// Numbers out of range count as the range's end; NaN is not taken, and counted.
///
/// - Thread: any.
/// - Real-time safe: yes, but for `set` by name, `parameters` and `stop`.
public final class InstrumentHandle: Sendable {
  package let seat: InstrumentSlot

  package init(_ seat: InstrumentSlot) { self.seat = seat }

  /// What it is called in addresses.
  public var name: String { seat.name }

  /// What it says about itself.
  public var sheet: InstrumentInfo { seat.sheet }

  /// Begins a note; one of no force ends it.
  ///
  /// - Parameters:
  ///   - pitch: as MIDI counts, 0 … 127; parts of a semitone count.
  ///   - velocity: 0 … 1.
  ///   - id: what the note's end is told by; left out, the pitch rounded.
  ///   - time: when it was played; left out, now.
  ///   - heard: when it is to be heard, in place of `time`.
  /// - Returns: false where it was not taken.
  @discardableResult
  public func noteOn(
    _ pitch: Float, velocity: Float = 0.8, id: Int32? = nil, at time: HostTime = .distantPast,
    heardAt heard: HostTime? = nil
  ) -> Bool { send(.noteOn(Note(pitch, velocity: velocity, id: id)), at: time, heardAt: heard) }

  /// Lets a note go; it has sounded as long as it was played.
  @discardableResult
  public func noteOff(
    _ pitch: Float, id: Int32? = nil, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool { send(.noteOff(Note(pitch, velocity: 0.5, id: id)), at: time, heardAt: heard) }

  /// Plays a note of a given length, which no other note of its pitch cuts short.
  ///
  /// - Parameter length: from its beginning until it is let go.
  /// - Returns: false where it was not taken.
  @discardableResult
  public func playNote(
    _ pitch: Float, velocity: Float = 0.8, for length: Duration, at time: HostTime,
    heardAt heard: HostTime? = nil
  ) -> Bool {
    // A number of its own: far from those of keys, of movement's notes, of loops and of other players.
    let id = -3_000_000 - (seat.lengths.wrappingAdd(1, ordering: .relaxed).newValue & 0xFFFFF)
    guard noteOn(pitch, velocity: velocity, id: id, at: time, heardAt: heard) else { return false }
    return noteOff(pitch, id: id, at: time + length, heardAt: heard.map { $0 + length })
  }

  /// Moves a note that sounds to another pitch or force.
  @discardableResult
  public func noteMove(
    id: Int32, to pitch: Float, velocity: Float = 0.8, at time: HostTime = .distantPast,
    heardAt heard: HostTime? = nil
  ) -> Bool { send(.noteMove(Note(pitch, velocity: velocity, id: id)), at: time, heardAt: heard) }

  /// Strikes it, as one switch or one tap does.
  @discardableResult
  public func strike(
    _ force: Float = 0.8, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool { send(.strike(force), at: time, heardAt: heard) }

  /// Bends it by so many semitones, −24 … 24: what sounds, and what comes.
  ///
  /// A harp's strings and bars that ring already keep their pitch; a piano is not bent at all.
  @discardableResult
  public func pitchBend(
    _ semitones: Float, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool { send(.bend(semitones), at: time, heardAt: heard) }

  /// Lets every note go; notes and strokes that were sent before it and wait are not heard.
  @discardableResult
  public func allNotesOff(at time: HostTime = .distantPast, heardAt heard: HostTime? = nil) -> Bool {
    send(.allOff, at: time, heardAt: heard)
  }

  /// Sends any event; false where it holds NaN, or too much is on its way.
  @discardableResult
  public func send(
    _ event: InstrumentEvent, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool {
    guard let event = event.cleaned else {
      seat.refused.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    seat.tellRelay(event, at: time, heardAt: heard)
    return seat.send(.event(event), played: time, heard: heard)
  }

  /// How many events and values were not taken: NaN, or too many on their way.
  public var refused: Int { seat.refused.load(ordering: .relaxed) + seat.inbox.dropped }

  /// The highest sample since this was last asked, 0 … .
  public func takePeak() -> Float { Float(bitPattern: seat.peak.exchange(0, ordering: .relaxed)) }

  /// Fades out within 10 ms, and is gone; later calls have no effect.
  public func stop() { seat.isLeaving.store(true, ordering: .releasing) }
}
