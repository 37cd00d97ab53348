import MoCore
import MoDSP
import MoMu

extension InstrumentHandle {
  /// The mapping from movement to the instrument; you can change the mapping while the instrument plays.
  ///
  /// The default is the mapping in the instrument's sheet.
  ///
  /// - Real-time safe: no.
  public var mapping: Mapping {
    get { slot.mapper.withLock { $0.mapping } }
    set { slot.mapper.withLock { $0.mapping = newValue } }
  }

  /// Reads a mapping from a file and uses it from now on, in place of the previous mapping.
  ///
  /// Only the first 1,048,576 bytes are read.
  ///
  /// - Throws: `MappingError` with the number of the faulty line; the previous mapping then stays.
  public func readMapping(file path: String) throws(MappingError) {
    mapping = try Mapping(file: path, parameters: parameters.map(\.name))
  }

  /// Passes a reading of the accelerometer to the mapping.
  ///
  /// The instrument also receives the reading, as `InstrumentEvent.motion`.
  ///
  /// - Parameters:
  ///   - motion: the reading, with its features.
  ///   - time: the time at which the reading takes effect (default: the time at which the sensor measured it).
  /// - Thread: any, but one at a time; usually the sensor's thread.
  /// - Real-time safe: no.
  public func move(_ motion: Motion, at time: HostTime? = nil) {
    var motion = motion
    if let time { motion.time = time }
    guard send(.motion(motion), at: motion.time) else { return }
    slot.mapper.withLock { $0.read(motion, self) }
  }

  /// Passes each reading of the accelerometer to `move`, with the time at which the sensor measured the reading.
  ///
  /// `MoAccel.stop()` does not end a note that a gate of the mapping holds: cancel the token, too.
  ///
  /// - Returns: a token; after its `cancel()`, the instrument no longer follows the accelerometer, and the note that a
  ///   gate of the mapping held has ended.
  /// - Throws: `AccelError` if the source cannot be opened.
  @discardableResult
  public func followMotion() throws -> MoToken {
    let token = try MoAccel.addCallback { [self] motion in move(motion) }
    return MoToken { [self] in
      token.cancel()
      endMotion()
    }
  }

  /// Ends the note that a gate of the mapping holds, because no further motion may follow.
  package func endMotion() { slot.mapper.withLock { $0.end(self) } }
}

/// The receiver of a mapping's actions: an instrument, or MIDI out.
protocol MappingTarget {
  /// The parameters that rules can set.
  var parameters: [Parameter] { get }

  /// Returns the index of a parameter in `parameters`; nil for an unknown name.
  func index(of name: String) -> Int?

  /// Carries out the action of a rule.
  ///
  /// - Parameter time: the time of the movement, or of the controller's message, that caused the action.
  func map(_ action: MappingAction, at time: HostTime)
}

/// The effect of a rule on its target.
enum MappingAction {
  /// A new value for the parameter with this index in `MappingTarget.parameters`.
  case set(Int, Float)
  /// An event to play, such as a strike or a pitch bend.
  case event(InstrumentEvent)
  /// A note to play, with its pitch, velocity and length.
  case note(Float, velocity: Float, Duration)
}

extension InstrumentHandle: MappingTarget {
  func map(_ action: MappingAction, at time: HostTime) { map(action, at: time, heardAt: nil) }

  fileprivate func map(_ action: MappingAction, at time: HostTime, heardAt heard: HostTime?) {
    switch action {
    case .set(let place, let value): set(place, to: value, at: time, heardAt: heard)
    case .event(let event): send(event, at: time, heardAt: heard)
    case .note(let pitch, let velocity, let length):
      playNote(pitch, velocity: velocity, for: length, at: time, heardAt: heard)
    }
  }
}

/// An instrument for which the time of an action is the time at which the action must be heard.
struct ScheduledTarget: MappingTarget {
  let handle: InstrumentHandle
  var parameters: [Parameter] { handle.parameters }

  func index(of name: String) -> Int? { handle.index(of: name) }

  func map(_ action: MappingAction, at time: HostTime) { handle.map(action, at: time, heardAt: time) }
}
