import MoCore
import MoDSP
import MoMu

/// Assigns MIDI controllers to parameters (MIDI learn): the user selects a parameter, then moves a knob.
///
/// A knob sets its parameter only after the knob has passed the parameter's present value (pick-up), so that the value
/// does not jump. If the parameter is changed in another way, the knob must pass the new value again.
///
/// A file stores the assignments by the name of the device and by instrument; see `ControllerFile`.
///
/// - Thread: any.
package final class LearnedControls: Sendable {
  /// The present state of a controller to which a parameter is assigned.
  package struct Mark: Equatable, Sendable {
    /// The number of the controller, 0…119.
    package var number: Int
    /// Whether the controller has passed the parameter's value, so that its next movement changes the parameter.
    package var isHolding: Bool
    /// Whether the controller must be turned up to reach the parameter's value.
    ///
    /// The value is nil if the controller has reached the value already, or if the controller's position is unknown.
    package var mustRise: Bool?
  }

  private struct ControllerState {
    /// The controller's last position, 0…1; nil before its first movement.
    var position: Float?
    /// The value to which the controller last set the parameter; nil until the controller has passed the parameter's
    /// present value.
    var setting: Float?
    /// The sequence number of the controller's last movement; the movements of all controllers are numbered together,
    /// from 1.
    var moved = 0
  }

  private struct State {
    var parameters: [ControllerFile.Place: String] = [:]
    var controllers: [ControllerFile.Place: ControllerState] = [:]
    var wanted: String?
    var moves = 0
  }

  private let state: Locked<State>
  private let path: String?
  private let saving = MoMutex()

  /// The largest distance between two positions, 0…1, that count as equal: a little more than half of 1/127, the
  /// distance between two neighbouring controller values.
  private static let nearness: Float = 0.6 / 127

  /// Reads the assignments from a file, and logs a warning for each line that cannot be parsed.
  ///
  /// - Parameter path: the file, which also stores new assignments; nil to neither read nor store assignments.
  package init(path: String?) {
    self.path = path
    let file = ControllerFile(path.flatMap { WholeFile.text(of: $0, bytes: ControllerFile.longest) })
    for problem in file.problems {
      MoLog.log(.warning, "\(path ?? ""), line \(problem.line): \(problem.text)")
    }
    var state = State()
    state.parameters = file.parameters
    self.state = Locked(state)
  }

  /// Returns the path of the file with the assignments, in the given folder of settings; nil if `folder` is nil.
  package static func path(inFolder folder: String?) -> String? { folder.map { "\($0)/controllers" } }

  /// Returns whether a controller can be learned; bank select, data entry, pedal, RPN, NRPN and mode messages cannot.
  static func isLearnable(_ number: Int) -> Bool {
    (1...119).contains(number) && ![6, 32, 38, 64].contains(number) && !(96...101).contains(number)
  }

  /// The name of the parameter to which the next controller that moves is assigned; nil if no parameter waits for a
  /// controller.
  package var wanted: String? { state.withLock { $0.wanted } }

  /// Selects the parameter to which the next controller that moves is assigned; nil to select none.
  package func learn(_ parameter: String?) { state.withLock { $0.wanted = parameter } }

  /// Returns the state of the controller that is assigned to a parameter; nil if no assigned controller has moved yet.
  ///
  /// If several controllers are assigned, the result is the state of the controller that moved last.
  package func mark(of index: Int, on handle: InstrumentHandle) -> Mark? {
    let (name, part) = Self.state(of: index, on: handle)
    return state.withLock { state in
      let places = state.parameters.filter { $0.value == name && $0.key.instrument == handle.sheet.name }.keys
      let moved = places.filter { state.controllers[$0] != nil }.max { one, other in
        (state.controllers[one]?.moved ?? 0) < (state.controllers[other]?.moved ?? 0)
      }
      guard let place = moved, let controller = state.controllers[place] else { return nil }
      let isHolding = controller.setting == handle.value(index)
      return Mark(
        number: place.number, isHolding: isHolding,
        mustRise: isHolding ? nil : controller.position.map { $0 < part })
    }
  }

  /// Handles a controller message: if a parameter waits for a controller, assigns this controller to it; otherwise sets
  /// the parameter to which the controller is assigned.
  ///
  /// - Parameters:
  ///   - number: the number of the controller.
  ///   - value: the controller's value, 0…127.
  ///   - time: the time at which the controller was moved.
  ///   - heard: the time at which the new value must be heard, in place of `time`.
  /// - Returns: whether a parameter of this instrument is assigned to the controller, perhaps by this call.
  func handle(
    _ number: Int, value: Float, from device: String, on handle: InstrumentHandle, at time: HostTime,
    heardAt heard: HostTime?
  ) -> Bool {
    // A port can have any name, and a line of the file ends at a line break.
    let place = ControllerFile.Place(
      device: device.printable, instrument: handle.sheet.name, number: number)
    let position = max(0, min(value / 127, 1))
    let isFree = state.withLock { $0.wanted == nil && $0.parameters[place] == nil }
    guard !isFree, Self.isLearnable(number) else { return false }
    if let parameter = state.withLock({ Self.learn(place, position, &$0) }) {
      save(place, parameter)
      return true
    }
    guard let name = state.withLock({ $0.parameters[place] }), let index = handle.index(of: name) else {
      return false
    }
    let part = Self.state(of: index, on: handle).part
    let present = handle.value(index)
    let isHolding = state.withLock { state in
      var controller = state.controllers[place] ?? ControllerState()
      state.moves += 1
      controller.moved = state.moves
      if controller.setting != present { controller.setting = nil }
      let isHolding = controller.setting != nil || Self.reaches(part, from: controller.position, to: position)
      controller.position = position
      state.controllers[place] = controller
      return isHolding
    }
    guard isHolding,
      let setting = handle.set(
        index, to: handle.parameters[index].value(at: position), at: time, heardAt: heard)
    else { return true }
    state.withLock { $0.controllers[place]?.setting = setting }
    return true
  }

  /// Returns whether a controller that moves from `old` (nil if unknown) to `new` reaches or passes the position
  /// `part`; all positions are 0…1.
  static func reaches(_ part: Float, from old: Float?, to new: Float) -> Bool {
    if abs(new - part) <= nearness { return true }
    guard let old else { return false }
    return (old - part) * (new - part) <= 0
  }

  private static func learn(
    _ place: ControllerFile.Place, _ position: Float, _ state: inout State
  ) -> String? {
    guard let wanted = state.wanted else { return nil }
    state.wanted = nil
    for (other, parameter) in state.parameters
    where parameter == wanted && other.device == place.device && other.instrument == place.instrument {
      state.parameters[other] = nil
      state.controllers[other] = nil
    }
    state.parameters[place] = wanted
    state.moves += 1
    state.controllers[place] = ControllerState(position: position, moved: state.moves)
    return wanted
  }

  private static func state(of index: Int, on handle: InstrumentHandle) -> (name: String, part: Float) {
    let parameter = handle.parameters[index]
    return (parameter.name, parameter.part(of: handle.value(index)))
  }

  /// Writes a new assignment to the file on a separate thread, because a disk can be slow, and notes must not wait.
  private func save(_ place: ControllerFile.Place, _ parameter: String) {
    let text = "cc\(place.number) of \(place.device) moves \(parameter)"
    MoLog.log(.notice, "\(text): turn it past the present value")
    guard let path else { return }
    let thread = try? MoThread(name: "mo-learn") { [self] _ in write(place, parameter, to: path) }
    if thread == nil { MoLog.log(.warning, "\(text), but only until the end: no thread to save it") }
  }

  private func write(_ place: ControllerFile.Place, _ parameter: String, to path: String) {
    saving.withLock {
      // Read again, since another program may have learned meanwhile.
      var file = ControllerFile(WholeFile.text(of: path, bytes: ControllerFile.longest))
      file.set(place, to: parameter)
      if let reason = WholeFile.write(file.text, to: path, isPrivate: false) {
        MoLog.log(.warning, "\(path) cannot be written: \(reason); what was learned is lost at the end")
      }
    }
  }
}
