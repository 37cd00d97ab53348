import Glibc
import MoCore
import MoNetwork
import MoRuntime

/// A run of a rig's program, from its start until Ctrl-C, with the program's messages to systemd.
///
/// - Thread: the main thread.
package struct RigSession {
  private let file: String?
  private let seconds: Double?

  /// Seconds between two polls of the thread that reads the sensors.
  private static let pause = 1.0
  /// The first and the longest pause between attempts to read the file, in seconds; each failure doubles the pause.
  private static let (shortestWait, longestWait) = (5.0, 300.0)

  /// - Parameters:
  ///   - file: the configuration's path as typed; nil for the usual places.
  ///   - seconds: the run time; nil for no limit.
  package init(file: String?, seconds: Double?) { (self.file, self.seconds) = (file, seconds) }

  /// Runs the rig until Ctrl-C, another signal that ends the program, or the end of the run time.
  ///
  /// If the configuration cannot be used, a service waits for a correction. In a terminal, `run` throws an error.
  ///
  /// - Throws: `RigProblem`, `RigProblems`, `NetError`, `MoThread.Failure`.
  package func run() throws {
    let stop = StopWait()
    let manager = ServiceManager(environment: Run.environment())
    let (reading, isRead) = try firstReading(isService: manager.isThere)
    // Only the configuration determines what a rig does: environment variables do not change it.
    let run = try Run(RunOptions(arguments: []), waitsForDevices: true)
    Run.begin(run)
    let rig = Rig(reading, machine: MachineName.own, in: run)
    do {
      try rig.start()
      try NetServer.shared.listenIfWanted(in: run)
    } catch {
      finish(rig)
      throw error
    }
    describe(rig, reading)
    manager.tell("READY=1\nSTATUS=\(rig.status)")
    attend(rig, stop, manager, run.clock, isRead: isRead)
    manager.tell("STOPPING=1")
    stop.letGo()
    finish(rig)
  }

  private func firstReading(isService: Bool) throws -> (RigReading, isRead: Bool) {
    let problems: [RigProblem]
    do throws(RigProblem) {
      let reading = try RigFile.reading(file)
      if isService || !reading.configuration.isEmpty { return (reading, true) }
      problems = reading.problems
    } catch {
      guard isService else { throw error }
      return (.unreadable(error), false)
    }
    throw RigProblems(list: problems)
  }

  private func describe(_ rig: Rig, _ reading: RigReading) {
    if !rig.description.isEmpty { say(rig.description) }
    for stream in reading.configuration.streams {
      if let trouble = stream.trouble { say("[\(stream.title)] waits: \(trouble)") }
      if let fault = stream.fault { say("[\(stream.title)] sends nothing: \(fault)") }
    }
  }

  /// Monitors the rig until a signal ends the program, or until the run time is over.
  ///
  /// - Parameter isRead: whether the configuration was read; if not, the function tries again to read it.
  private func attend(
    _ rig: Rig, _ stop: StopWait, _ manager: ServiceManager, _ clock: any TimeSource, isRead: Bool
  ) {
    var (isRead, wait) = (isRead, Self.shortestWait)
    var nextTry = clock.now.advanced(bySeconds: wait)
    let end = seconds.map { clock.now.advanced(bySeconds: $0) } ?? .distantFuture
    var status = rig.status
    while clock.now < end {
      switch stop.signal(until: min(end, clock.now.advanced(bySeconds: Self.pause))) {
      // In a terminal this signal means that the terminal was closed.
      case SIGHUP where manager.isThere || isatty(STDIN_FILENO) == 0: isRead = reload(rig, manager) || isRead
      case .some: return
      case nil: break
      }
      if !isRead, clock.now >= nextTry {
        isRead = reload(rig, manager, isAgain: true)
        wait = min(2 * wait, Self.longestWait)
        nextTry = clock.now.advanced(bySeconds: wait)
      }
      rig.tend()
      if rig.hangs() { beginAnew() }
      if manager.patience != nil { manager.tell("WATCHDOG=1") }
      if rig.status != status {
        status = rig.status
        manager.tell("STATUS=\(status)")
      }
    }
  }

  /// Reads the configuration again; returns false if that fails, and the previous configuration then stays in effect.
  ///
  /// - Parameter isAgain: true for a new attempt after a failure that was logged already; a further failure is then not
  ///   logged.
  @discardableResult
  private func reload(_ rig: Rig, _ manager: ServiceManager, isAgain: Bool = false) -> Bool {
    if !isAgain { manager.tell("RELOADING=1") }
    defer { manager.tell("READY=1\nSTATUS=\(rig.status)") }
    do {
      let reading = try RigFile.reading(file)
      rig.take(reading)
      rig.tend()
      say("\(reading.file) was read again.")
      describe(rig, reading)
      return true
    } catch {
      if !isAgain { say("\(error); the previous configuration stays in use") }
      return false
    }
  }

  private func say(_ text: String) { ConsoleWriter.error.say(text + "\n") }

  private func finish(_ rig: Rig) {
    rig.stop()
    Run.current.end()
    MoNet.stop()
  }

  /// Restarts the program in the same process, because the thread that reads the sensors hangs.
  ///
  /// A thread that hangs in the kernel cannot be ended in any other way.
  private func beginAnew() {
    say("the thread that reads the sensors has hung for 30 s: the rig restarts")
    let words = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", words)
    say("the rig could not restart itself: \(String(cString: strerror(errno)))")
    exit(1)
  }
}
