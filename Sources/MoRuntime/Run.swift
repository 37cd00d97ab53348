import Glibc
import MoCore
import Synchronization

/// The state that all modules of a running program share: its options, its clock, and the loop that reads its inputs.
///
/// A run lasts from the start of the program to its end. `MoApp.run` creates it. In a program that does not call
/// `MoApp.run`, the first use of `current` creates it, with options from the environment variables alone.
///
/// - Thread: any.
package final class Run: Sendable {
  /// The options that the user gave; an option that was not given has its default.
  package let options: RunOptions

  /// The clock of the whole program: the machine's clock, or offline `frameClock`.
  package let clock: any TimeSource

  /// The clock that counts rendered frames, equal to `clock`; nil if the program does not run offline.
  package let frameClock: FrameClock?

  /// The loop that reads all inputs of the program: sensors, tapes, the terminal's keys and others.
  package let input: EventLoop

  /// The terminal's keys.
  package let keys = TerminalKeys()

  /// The queue of closures that the main thread executes while it waits for the program's end.
  package let main = MainQueue()

  /// The host of the phone that the accelerometer reads, which other sensors then read, too; nil for none.
  package let phone = Locked<String?>(nil)

  private let settingUp = Atomic<Bool>(false)

  /// Whether the program's own set-up code is still running, so that this code may still choose a setting.
  ///
  /// An example is the port on which the program listens.
  package var isSettingUp: Bool {
    get { settingUp.load(ordering: .acquiring) }
    set { settingUp.store(newValue, ordering: .releasing) }
  }

  /// The function that draws the picture above the level meter in the terminal.
  package let picture = Locked(Picture())

  /// A function that draws the picture of a program, wrapped in a structure.
  ///
  /// If `Locked` stored the closure directly, the compiler would wrap the closure again at each access.
  package struct Picture: Sendable {
    /// Returns the blocks of the picture for a terminal with `columns` columns; nil if there is no picture.
    package var draw: (@Sendable (_ columns: Int) -> [ScreenBlock])?
  }

  /// The names of the options that this program has used so far; only options that not every program uses are recorded.
  private let used = Locked<Set<String>>([])

  /// Prevents the warning of `remarksOnOptions` for an option that this program uses, but that not every program uses.
  package func markUsed(_ option: String) { _ = used.withLock { $0.insert(option) } }

  /// A warning for each option that the user gave, but that the program has not used so far; see `RunOption.remark`.
  package var remarksOnOptions: [String] {
    let used = used.withLock { $0 }
    return RunOption.table.compactMap { option in
      guard let remark = option.remark, options.given.contains(option.name), !used.contains(option.name)
      else { return nil }
      if option.name == "midi", options.midi == "none" { return nil }
      return "\(option.flag) has no effect: \(remark)"
    }
  }

  private let endings = Locked<[Ending]>([])

  /// An action for the end of the program.
  private struct Ending: Sendable {
    /// The object that added the action; a later action of the same object replaces this action.
    ///
    /// If nil, no later action replaces this action.
    var owner: ObjectIdentifier?
    var body: @Sendable () -> Void
  }

  /// Adds an action that is executed when the program ends, before sound, accelerometer and network stop.
  package func atEnd(_ body: @escaping @Sendable () -> Void) {
    endings.withLock { $0.append(Ending(body: body)) }
  }

  /// Adds an action that is executed with an object when the program ends, if the object still exists.
  ///
  /// The action replaces the object's earlier action. So an object may add its action at each of its starts.
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

  /// Executes the actions that were added with `atEnd`, and removes them.
  package func end() {
    let list = endings.withLock { list in
      defer { list = [] }
      return list
    }
    for ending in list { ending.body() }
  }

  /// Whether time is counted in rendered frames instead of read from the machine.
  package var isOffline: Bool { frameClock != nil }

  /// Whether a sensor without a device waits for it, as in a rig; if false, a simulated player stands in for the
  /// device.
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

  /// Logs a notice for the user, in one line; with `--quiet`, only at the level `debug`.
  package func notice(_ text: String) { MoLog.log(options.quiet ? .debug : .notice, text) }

  private static let slot = Locked<Run?>(nil)

  /// The run of this program; created from the environment variables if there is none yet.
  package static var current: Run {
    slot.withLock { run in
      if let run { return run }
      // Outside MoApp no caller can show an error: a wrong variable is reported and skipped.
      var options = RunOptions()
      for error in options.read(environment: environment()) { MoLog.log(.warning, "\(error)") }
      let made = Run(options)
      run = made
      return made
    }
  }

  /// The run of this program; nil if there is none yet.
  package static var begun: Run? { slot.withLock { $0 } }

  /// Sets `current` to `run`.
  package static func begin(_ run: Run) { slot.withLock { $0 = run } }

  /// Returns the environment variables of this process, by name.
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
