import MoDSP
import MoTime
import Synchronization

/// An instrument that plays, from outside: notes, strokes and parameters, each for a moment or for now.
///
/// ```swift
/// let bell = try MoAudio.play(Bell())
/// bell.noteOn(69, velocity: 0.6)
/// try bell.set("brightness", to: 0.9)
/// ```
///
/// What is meant for a moment sounds at the frame that reaches the ear then; for one that has passed, or left out, at
/// the next block. Numbers out of range count as the range's end; what is no number is not taken, and counted.
///
/// - Thread: any.
/// - Real-time safe: yes, but for `set` by name, `parameters` and `stop`.
public final class InstrumentHandle: Sendable {
  package let seat: Seat

  package init(_ seat: Seat) { self.seat = seat }

  /// What it is called in addresses.
  public var name: String { seat.name }

  /// What it says about itself.
  public var sheet: InstrumentSheet { seat.sheet }

  /// Begins a note; one of no force ends it.
  ///
  /// - Parameters:
  ///   - pitch: as MIDI counts, 0 … 127; parts of a semitone count.
  ///   - velocity: 0 … 1.
  ///   - id: what the note's end is told by; left out, the pitch rounded.
  /// - Returns: false where it was not taken.
  @discardableResult
  public func noteOn(
    _ pitch: Float, velocity: Float = 0.8, id: Int32? = nil, at time: HostTime = .distantPast
  ) -> Bool { send(.noteOn(Note(pitch, velocity: velocity, id: id)), at: time) }

  /// Lets a note go.
  @discardableResult
  public func noteOff(_ pitch: Float, id: Int32? = nil, at time: HostTime = .distantPast) -> Bool {
    send(.noteOff(Note(pitch, velocity: 0.5, id: id)), at: time)
  }

  /// Moves a note that sounds to another pitch or force.
  @discardableResult
  public func noteMove(
    id: Int32, to pitch: Float, velocity: Float = 0.8, at time: HostTime = .distantPast
  ) -> Bool { send(.noteMove(Note(pitch, velocity: velocity, id: id)), at: time) }

  /// Strikes it, as one switch or one tap does.
  @discardableResult
  public func strike(_ force: Float = 0.8, at time: HostTime = .distantPast) -> Bool {
    send(.strike(force), at: time)
  }

  /// Bends it by so many semitones, −24 … 24: what sounds, and what comes.
  ///
  /// A harp's strings and bars that ring already keep their pitch; a piano is not bent at all.
  @discardableResult
  public func pitchBend(_ semitones: Float, at time: HostTime = .distantPast) -> Bool {
    send(.bend(semitones), at: time)
  }

  /// Lets every note go.
  @discardableResult
  public func allNotesOff(at time: HostTime = .distantPast) -> Bool { send(.allOff, at: time) }

  /// Sends any event; false where it holds something that is no number, or too much is on its way.
  @discardableResult
  public func send(_ event: InstrumentEvent, at time: HostTime = .distantPast) -> Bool {
    guard let event = event.cleaned else {
      seat.refused.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    return seat.relays(event, at: time) || seat.events.add(.event(event), at: time)
  }

  /// How many events and values were not taken: no numbers, or too many on their way.
  public var refused: Int { seat.refused.load(ordering: .relaxed) + seat.events.dropped }

  /// The highest sample since this was last asked, 0 … .
  public func takePeak() -> Float { Float(bitPattern: seat.peak.exchange(0, ordering: .relaxed)) }

  /// Fades out within 10 ms, and is gone; later calls have no effect.
  public func stop() { seat.isLeaving.store(true, ordering: .releasing) }
}
