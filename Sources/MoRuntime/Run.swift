import Glibc
import MoCore
import Synchronization

/// What one run of a program shares: its options, its clock, and the loop that reads its inputs.
///
/// `MoApp.run` begins one; a program without it gets one at first use, from its environment alone.
///
/// - Thread: any.
package final class Run: Sendable {
  /// The options, all settled.
  package let options: RunOptions

  /// The time all servers go by: the machine's, or the frames of the offline render.
  package let clock: any TimeSource

  /// Set when the run is rendered offline; it is then also `clock`.
  package let frameClock: FrameClock?

  /// What drives the inputs.
  package let input: EventLoop

  /// The terminal's keys, for whoever takes them.
  package let keys = TerminalKeys()

  /// What was asked to run on the main thread.
  package let main = MainQueue()

  private let settingUp = Atomic<Bool>(false)

  /// Whether the program is still being set up, so that what it has not said yet may follow.
  package var isSettingUp: Bool {
    get { settingUp.load(ordering: .acquiring) }
    set { settingUp.store(newValue, ordering: .releasing) }
  }

  /// What is drawn above the meter.
  package let picture = Locked(Picture())

  /// A picture of rows; in a structure of its own, as `MoLog` has its handler.
  package struct Picture: Sendable {
    /// Makes it for so many columns; nil for nothing.
    package var draw: (@Sendable (_ columns: Int) -> [ScreenBlock])?
  }

  private let endings = Locked<[Ending]>([])

  /// What is done at the end.
  private struct Ending: Sendable {
    /// Who asked for it, where that is once, however often it is asked.
    var owner: ObjectIdentifier?
    var body: @Sendable () -> Void
  }

  /// Does something when the program ends, before the servers stop.
  package func atEnd(_ body: @escaping @Sendable () -> Void) {
    endings.withLock { $0.append(Ending(body: body)) }
  }

  /// Does something with an object when the program ends, if it is still there: once, in place of what was asked for it
  /// before, so that one which is started again and again leaves no more behind.
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

  /// Does what was asked for at the end, once.
  package func end() {
    let list = endings.withLock { list in
      defer { list = [] }
      return list
    }
    for ending in list { ending.body() }
  }

  /// Whether time is counted in rendered frames instead of read from the machine.
  package var isOffline: Bool { frameClock != nil }

  /// Whether a sensor without a device waits for one, as in a rig, instead of a player standing in.
  package let waitsForDevices: Bool

  package init(_ options: RunOptions, waitsForDevices: Bool = false) {
    self.options = options
    self.waitsForDevices = waitsForDevices
    frameClock = options.offline ? FrameClock(sampleRate: 48_000) : nil
    clock = frameClock ?? SystemClock()
    input = EventLoop(clock: clock, isDriven: frameClock != nil)
    if let seed = options.seed { SeedSource.set(seed) }
  }

  /// Tells the user something in one line, unless the run is quiet.
  package func notice(_ text: String) { MoLog.log(options.quiet ? .debug : .notice, text) }

  private static let slot = Locked<Run?>(nil)

  /// The run that servers started now belong to.
  package static var current: Run {
    slot.withLock { run in
      if let run { return run }
      // Outside MoApp there is nobody to show an error to: a wrong variable is reported and not used.
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

  /// The process's environment.
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
