import Glibc
import MoCore
import Synchronization

/// The state that the parts of a run share: its options, its clock, and the loop that reads its inputs.
///
/// `MoApp.run` starts a run. A program that does not call `MoApp.run` gets a run at the first use of `current`, with
/// options from its environment variables alone.
///
/// - Thread: any.
package final class Run: Sendable {
  /// The options, with all defaults resolved.
  package let options: RunOptions

  /// The clock of all servers: the machine's, or the frames of the offline render.
  package let clock: any TimeSource

  /// The clock of rendered frames if the run is rendered offline; it is then also `clock`.
  package let frameClock: FrameClock?

  /// The loop that drives the inputs.
  package let input: EventLoop

  /// The terminal's keys.
  package let keys = TerminalKeys()

  /// The work that waits for the main thread.
  package let main = MainQueue()

  private let settingUp = Atomic<Bool>(false)

  /// Whether the program is still setting up, so that settings which are missing now may follow.
  package var isSettingUp: Bool {
    get { settingUp.load(ordering: .acquiring) }
    set { settingUp.store(newValue, ordering: .releasing) }
  }

  /// The picture that the terminal shows above the level meter.
  package let picture = Locked(Picture())

  /// A function that draws rows, in its own structure.
  ///
  /// If `Locked` stored the closure directly, the compiler would wrap the closure again at each access.
  package struct Picture: Sendable {
    /// Draws the picture for the given number of columns; nil for no picture.
    package var draw: (@Sendable (_ columns: Int) -> [ScreenBlock])?
  }

  /// The options that the program has obeyed, of those that only some programs obey.
  private let obeyed = Locked<Set<String>>([])

  /// Stores the fact that the program obeys an option that only some programs obey; see `remarksOnOptions`.
  package func obey(_ option: String) { _ = obeyed.withLock { $0.insert(option) } }

  /// A warning for each given option that has had no effect so far.
  package var remarksOnOptions: [String] {
    let obeyed = obeyed.withLock { $0 }
    return RunOption.table.compactMap { option in
      guard let remark = option.remark, options.given.contains(option.name), !obeyed.contains(option.name)
      else { return nil }
      if option.name == "midi", options.midi == "none" { return nil }
      return "\(option.flag) has no effect: \(remark)"
    }
  }

  private let endings = Locked<[Ending]>([])

  /// An action for the end of the program.
  private struct Ending: Sendable {
    /// The object whose later requests replace this action; nil if no request replaces the action.
    var owner: ObjectIdentifier?
    var body: @Sendable () -> Void
  }

  /// Runs an action when the program ends, before the servers stop.
  package func atEnd(_ body: @escaping @Sendable () -> Void) {
    endings.withLock { $0.append(Ending(body: body)) }
  }

  /// Runs an action with an object when the program ends, if the object still exists.
  ///
  /// The action replaces the object's earlier action, so an object that adds an action at each start has only the last
  /// action.
  package func atEnd<Owner: AnyObject & Sendable>(
    of owner: Owner, _ body: @escaping @Sendable (Owner) -> Void
  ) {
    let ending = Ending(owner: ObjectIdentifier(owner)) { [weak owner] in if let owner { body(owner) } }
    endings.withLock { list in
      if let known = list.firstIndex(where: { $0.owner == ending.owner }) {
        list[known] = ending
      } else {
        list.append(ending)
      }
    }
  }

  /// Runs the actions for the end, once.
  package func end() {
    let list = endings.withLock { list in
      defer { list = [] }
      return list
    }
    for ending in list { ending.body() }
  }

  /// Whether time is counted in rendered frames instead of read from the machine.
  package var isOffline: Bool { frameClock != nil }

  /// Whether a sensor without a device waits for one, as in a rig, instead of using a simulated player.
  package let waitsForDevices: Bool

  package init(_ options: RunOptions, waitsForDevices: Bool = false) {
    self.options = options
    self.waitsForDevices = waitsForDevices
    frameClock = options.offline ? FrameClock(sampleRate: 48_000) : nil
    clock = frameClock ?? SystemClock()
    input = EventLoop(clock: clock, isDriven: frameClock != nil)
    if let seed = options.seed { SeedSource.set(seed) }
  }

  private let reporting = Atomic<Bool>(true)

  /// Whether the run ends with a report on the sound file that it wrote; false for a program with its own report.
  package var reportsFile: Bool {
    get { reporting.load(ordering: .acquiring) }
    set { reporting.store(newValue, ordering: .releasing) }
  }

  /// Logs a notice for the user, in one line, unless the run is quiet.
  package func notice(_ text: String) { MoLog.log(options.quiet ? .debug : .notice, text) }

  private static let slot = Locked<Run?>(nil)

  /// The run to which servers that start now belong.
  package static var current: Run {
    slot.withLock { run in
      if let run { return run }
      // Outside MoApp no caller can show an error: a wrong variable is reported and ignored.
      let options: RunOptions
      do {
        options = try RunOptions(arguments: [], environment: environment())
      } catch {
        MoLog.log(.warning, "\(error)")
        options = RunOptions()
      }
      let made = Run(options)
      run = made
      return made
    }
  }

  /// Makes `run` the current one.
  package static func begin(_ run: Run) { slot.withLock { $0 = run } }

  /// Returns the process's environment.
  package static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
      entry += 1
    }
    return variables
  }
}
