import MoCore
import MoDSP
import Synchronization

/// A handle with which your program plays an instrument: notes, strikes and parameters, now or at a given time.
///
/// <!-- with: let motion = MoAccel.reading -->
///
/// ```swift
/// let bell = try MoAudio.play(Bell())
/// bell.noteOn(69, velocity: 0.6)
/// bell.playNote(72, for: .milliseconds(250), at: motion.time)
/// try bell.set("brightness", to: 0.9)
/// ```
///
/// There are two kinds of time. `at` is the time at which an event was played: the time stamp of a key or a motion.
/// The event is heard `MoAudio.playThrough` after this time, so that strikes keep their spacing. On a `grid`, the
/// event is heard on its line of the grid. `heardAt` is the time at which an event must reach the ear, such as the
/// time of a beat. If the time of `heardAt` has passed, the event is heard immediately. If you give neither time, the
/// event is played now.
///
/// Numbers out of range are clamped. NaN, and a strike without force, are refused and counted in `refused`.
///
/// - Thread: any.
/// - Real-time safe: yes, except `set` by name, `parameters`, `record`, `loop` and `stop`.
public final class InstrumentHandle: Sendable {
  package let slot: InstrumentSlot

  package init(_ slot: InstrumentSlot) { self.slot = slot }

  /// The instrument's name in addresses.
  public var name: String { slot.name }

  /// The description of the instrument.
  public var sheet: InstrumentInfo { slot.sheet }

  /// Begins a note; a velocity of 0 ends the note instead.
  ///
  /// - Parameters:
  ///   - pitch: MIDI note number, 0 … 127; may have a fraction.
  ///   - velocity: 0 … 1.
  ///   - id: identifies the note for `noteOff` (default: the rounded pitch).
  ///   - time: the time at which the note was played (default: now).
  ///   - heard: the time at which the note must be heard, in place of `time`.
  /// - Returns: false if the note was refused, because of NaN or a full queue.
  @discardableResult
  public func noteOn(
    _ pitch: Float, velocity: Float = 0.8, id: Int32? = nil, at time: HostTime = .distantPast,
    heardAt heard: HostTime? = nil
  ) -> Bool { send(.noteOn(Note(pitch, velocity: velocity, id: id)), at: time, heardAt: heard) }

  /// Releases a note; the note is heard for as long as it was held.
  ///
  /// - Returns: false if the release was refused, because of NaN or a full queue.
  @discardableResult
  public func noteOff(
    _ pitch: Float, id: Int32? = nil, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool { send(.noteOff(Note(pitch, velocity: 0.5, id: id)), at: time, heardAt: heard) }

  /// Plays a note of a given length; another note of the same pitch does not end this note early.
  ///
  /// - Parameters:
  ///   - pitch: a MIDI note number, 0 … 127; fractions are allowed.
  ///   - velocity: 0 … 1.
  ///   - length: the time from the note's beginning to its release.
  ///   - time: the time at which the note was played.
  ///   - heard: the time at which the note must be heard, in place of `time`.
  /// - Returns: false if the note was refused, because of NaN or a full queue.
  @discardableResult
  public func playNote(
    _ pitch: Float, velocity: Float = 0.8, for length: Duration, at time: HostTime,
    heardAt heard: HostTime? = nil
  ) -> Bool {
    // An ID of its own, far from the IDs of keys, notes made by movement, loops and other players.
    let id = -3_000_000 - (slot.lengths.wrappingAdd(1, ordering: .relaxed).newValue & 0xFFFFF)
    guard noteOn(pitch, velocity: velocity, id: id, at: time, heardAt: heard) else { return false }
    return noteOff(pitch, id: id, at: time + length, heardAt: heard.map { $0 + length })
  }

  /// Changes the pitch and velocity of the sounding note that `noteOn` began with this `id`.
  ///
  /// - Returns: false if the change was refused, because of NaN or a full queue.
  @discardableResult
  public func noteMove(
    id: Int32, to pitch: Float, velocity: Float = 0.8, at time: HostTime = .distantPast,
    heardAt heard: HostTime? = nil
  ) -> Bool { send(.noteMove(Note(pitch, velocity: velocity, id: id)), at: time, heardAt: heard) }

  /// Strikes the instrument with a force, 0 … 1, as a single switch or a tap does.
  ///
  /// - Returns: false if the strike was refused, because of NaN, a force not above 0, or a full queue.
  @discardableResult
  public func strike(
    _ force: Float = 0.8, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool { send(.strike(force), at: time, heardAt: heard) }

  /// Bends the pitch by −24 … 24 semitones, for sounding and future notes.
  ///
  /// If a harp's strings or a mallet instrument's bars already ring, they keep their pitch. A piano ignores bends.
  ///
  /// - Returns: false if the bend was refused, because of NaN, infinity or a full queue.
  @discardableResult
  public func pitchBend(
    _ semitones: Float, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool { send(.bend(semitones), at: time, heardAt: heard) }

  /// Releases all notes, and drops the notes and strikes that were sent before this call and are not yet heard.
  ///
  /// - Returns: false if the queue was full; the next block then releases all notes.
  @discardableResult
  public func allNotesOff(at time: HostTime = .distantPast, heardAt heard: HostTime? = nil) -> Bool {
    send(.allOff, at: time, heardAt: heard)
  }

  /// Sends any event to the instrument.
  ///
  /// - Returns: false if the event was refused, because of NaN, a strike whose force is not above 0, or a full queue.
  @discardableResult
  public func send(
    _ event: InstrumentEvent, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool {
    guard let event = event.cleaned else {
      slot.inbox.refuse()
      return false
    }
    // The own sound comes first: the tap may wake another thread, by a system call.
    let isQueued = slot.inbox.add(.event(event), played: time, heard: heard)
    slot.tapPlace.notify(event, at: time, heardAt: heard)
    return isQueued
  }

  /// The number of events and values that were refused: NaN, a strike without force, or a full queue.
  public var refused: Int { slot.inbox.refused }

  /// Returns the largest magnitude of the instrument's samples, 0 or more, since the last call of `takePeak`.
  public func takePeak() -> Float { slot.takePeak() }

  /// Makes the instrument fade out within 10 ms and leave its bus; later calls of any method have no effect.
  public func stop() { slot.leave() }
}

extension InstrumentHandle {
  /// The parameters: the instrument's own, then `loudness`.
  public var parameters: [Parameter] { slot.parameters }

  /// Sets a parameter; a value out of range is clamped.
  ///
  /// - Returns: the value that was set.
  /// - Throws: `InstrumentError.unknownParameter`; `.noNumber` if the value is NaN or the queue is full.
  @discardableResult
  public func set(
    _ name: String, to value: Float, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) throws(InstrumentError) -> Float {
    guard let index = index(of: name) else {
      throw .unknownParameter(instrument: self.name, name: name, has: parameters.map(\.name))
    }
    guard let taken = set(index, to: value, at: time, heardAt: heard) else {
      throw .noNumber(instrument: self.name, parameter: name, range: parameters[index].range)
    }
    return taken
  }

  /// Returns the last value set for a parameter, at first its default; nil if no parameter has the name.
  public func value(_ name: String) -> Float? { index(of: name).map(value) }

  /// The loudness, 0 … 1 (default 0.8).
  ///
  /// The gain is the square of the loudness.
  public var loudness: Float {
    get { value(slot.parameters.count - 1) }
    set { set(slot.parameters.count - 1, to: newValue) }
  }

  /// Returns the index of a parameter in `parameters`; nil if no parameter has that name.
  public func index(of name: String) -> Int? { slot.parameters.firstIndex { $0.name == name } }

  /// The indices of the instrument's parameters in `parameters`.
  ///
  /// - Real-time safe: yes.
  public var parameterRange: Range<Int> { 0..<slot.bank.count }

  /// Returns the last value set for the parameter at an index of `parameters`, at first its default.
  ///
  /// An index outside `parameters` stops the program.
  public func value(_ index: Int) -> Float {
    precondition(slot.parameters.indices.contains(index), "no parameter has the index \(index)")
    return slot.bank.value(index)
  }

  /// Sets the parameter at an index of `parameters`; a value out of range is clamped.
  ///
  /// An index outside `parameters` stops the program.
  ///
  /// - Returns: the value that was set; nil if the value was refused, because of NaN or a full queue.
  /// - Real-time safe: yes.
  @discardableResult
  public func set(
    _ index: Int, to value: Float, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Float? {
    guard let taken = slot.parameters[index].taken(value) else {
      slot.inbox.refuse()
      return nil
    }
    guard slot.inbox.add(.set(index: Int32(index), value: taken), played: time, heard: heard) else {
      return nil
    }
    slot.bank.show(taken, at: index)
    return taken
  }
}

extension InstrumentHandle {
  /// Sets the level of the instrument in the mix, beside its loudness, which belongs to the user.
  ///
  /// The factor is the square of the level. It changes within 10 ms.
  ///
  /// - Parameters:
  ///   - level: 0 … 1; at first 1.
  ///   - heard: the time at which the change is heard.
  /// - Returns: false if the instrument's queue is full.
  /// - Real-time safe: yes.
  @discardableResult
  package func setLevel(_ level: Float, heardAt heard: HostTime) -> Bool {
    slot.inbox.add(.level(level.isNaN ? 0 : max(0, min(level, 1))), played: heard, heard: heard)
  }
}

/// `noteOn`, `noteOff`, `strike` and `set` with numbers of type `Int` or `Double` instead of `Float`.
extension InstrumentHandle {
  /// Begins a note; see `noteOn` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func noteOn(
    _ pitch: Int, velocity: Float = 0.8, id: Int32? = nil, at time: HostTime = .distantPast,
    heardAt heard: HostTime? = nil
  ) -> Bool { noteOn(Float(pitch), velocity: velocity, id: id, at: time, heardAt: heard) }

  /// Begins a note; see `noteOn` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func noteOn(
    _ pitch: Int, velocity: Double, id: Int32? = nil, at time: HostTime = .distantPast,
    heardAt heard: HostTime? = nil
  ) -> Bool { noteOn(Float(pitch), velocity: Float(velocity), id: id, at: time, heardAt: heard) }

  /// Begins a note; see `noteOn` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func noteOn(
    _ pitch: Double, velocity: Double = 0.8, id: Int32? = nil, at time: HostTime = .distantPast,
    heardAt heard: HostTime? = nil
  ) -> Bool { noteOn(Float(pitch), velocity: Float(velocity), id: id, at: time, heardAt: heard) }

  /// Releases a note; see `noteOff` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func noteOff(
    _ pitch: Int, id: Int32? = nil, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool { noteOff(Float(pitch), id: id, at: time, heardAt: heard) }

  /// Strikes the instrument; see `strike` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func strike(
    _ force: Double, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) -> Bool { strike(Float(force), at: time, heardAt: heard) }

  /// Sets a parameter; see `set` with a `Float`.
  @_disfavoredOverload @discardableResult
  public func set(
    _ name: String, to value: Double, at time: HostTime = .distantPast, heardAt heard: HostTime? = nil
  ) throws(InstrumentError) -> Float { try set(name, to: Float(value), at: time, heardAt: heard) }
}
