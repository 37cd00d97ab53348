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
    let manager = ServiceManager(environment: Run.environment())
    let terminal = StartTerminal(isOpen: isatty(STDIN_FILENO) == 1)
    let stop = StopWait(receivesIgnoredHangUp: manager.isThere || !terminal.isCloseExpected)
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
    manager.notify("READY=1\nSTATUS=\(rig.status)")
    runLoop(rig, stop, manager, terminal, run.clock, isRead: isRead)
    manager.notify("STOPPING=1")
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
    if !rig.description.isEmpty { printLine(rig.description) }
    for stream in reading.configuration.streams {
      if let reason = stream.waitReason { printLine("[\(stream.title)] waits: \(reason)") }
      if let reason = stream.silenceReason { printLine("[\(stream.title)] sends nothing: \(reason)") }
    }
  }

  /// Monitors the rig until a signal ends the program, or until the run time is over.
  ///
  /// - Parameter isRead: whether the configuration was read; if not, the function tries again to read it.
  private func runLoop(
    _ rig: Rig, _ stop: StopWait, _ manager: ServiceManager, _ terminal: StartTerminal,
    _ clock: any TimeSource, isRead: Bool
  ) {
    var (isRead, wait, terminal) = (isRead, Self.shortestWait, terminal)
    var nextTry = clock.now.advanced(bySeconds: wait)
    let end = seconds.map { clock.now.advanced(bySeconds: $0) } ?? .distantFuture
    var status = rig.status
    while clock.now < end {
      switch stop.signal(until: min(end, clock.now.advanced(bySeconds: Self.pause))) {
      case SIGHUP where manager.isThere || !terminal.isCloseExpected: isRead = reload(rig, manager) || isRead
      case .some: return
      case nil: terminal.update(isOpen: isatty(STDIN_FILENO) == 1)
      }
      if !isRead, clock.now >= nextTry {
        isRead = reload(rig, manager, isAgain: true)
        wait = min(2 * wait, Self.longestWait)
        nextTry = clock.now.advanced(bySeconds: wait)
      }
      rig.update()
      if rig.hangs() { beginAnew(rig.sourceInService) }
      if manager.timeout != nil { manager.notify("WATCHDOG=1") }
      if rig.status != status {
        status = rig.status
        manager.notify("STATUS=\(status)")
      }
    }
  }

  /// Reads the configuration again; returns false if that fails, and the previous configuration then stays in effect.
  ///
  /// - Parameter isAgain: true for a new attempt after a failure that was logged already; a further failure is then not
  ///   logged.
  @discardableResult
  private func reload(_ rig: Rig, _ manager: ServiceManager, isAgain: Bool = false) -> Bool {
    if !isAgain { manager.notify("RELOADING=1") }
    defer { manager.notify("READY=1\nSTATUS=\(rig.status)") }
    do {
      let reading = try RigFile.reading(file)
      rig.apply(reading)
      rig.update()
      printLine("\(reading.file) was read again.")
      describe(rig, reading)
      return true
    } catch {
      if !isAgain { printLine("\(error); the previous configuration stays in use") }
      return false
    }
  }

  private func printLine(_ text: String) { ConsoleWriter.error.writeLines(text + "\n") }

  private func finish(_ rig: Rig) {
    rig.stop()
    Run.current.end()
    MoNet.stop()
  }

  /// Restarts the program in the same process, because the thread that reads the sensors hangs.
  ///
  /// The kernel ends all other threads first. A thread that sleeps uninterruptibly in a driver cannot be ended: then
  /// `execv` does not return, and systemd's watchdog finds the hang.
  ///
  /// - Parameter source: the source that the thread was reading; nil if it is not known.
  private func beginAnew(_ source: String?) {
    let place = source.map { " in \($0)" } ?? ""
    printLine("the thread that reads the sensors has hung for 30 s\(place): the rig restarts")
    let words = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", words)
    printLine("the rig could not restart itself: \(String(cString: strerror(errno)))")
    exit(1)
  }
}

/// The sender of a service's state to systemd, in datagrams to the socket that systemd names.
///
/// If systemd names no socket, nothing is sent.
///
/// - Source: sd_notify(3), which defines the datagrams and guarantees that they stay the same.
package struct ServiceManager: Sendable {
  private let address: String?
  /// The longest time that systemd's watchdog accepts between two `WATCHDOG=1`, in seconds; nil without a watchdog.
  package let timeout: Double?

  /// - Parameter environment: the environment variables, in which systemd names its socket and timeout.
  package init(environment: [String: String]) {
    address = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let isOurs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
    let microseconds = environment["WATCHDOG_USEC"].flatMap { Double($0) }
    timeout = isOurs ? microseconds.map { $0 * 1e-6 } : nil
  }

  /// Whether systemd started this program and receives its messages.
  package var isThere: Bool { address != nil }

  /// Sends a line, such as `READY=1` or `WATCHDOG=1`; returns false if systemd did not accept it.
  @discardableResult
  package func notify(_ line: String) -> Bool {
    guard let address else { return false }
    let file = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { return false }
    defer { close(file) }
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    var path = Array(address.utf8)
    let room = MemoryLayout.size(ofValue: name.sun_path)
    guard path.count < room else { return false }
    // An @ replaces the zero byte of an abstract socket's name.
    if path.first == 0x40 { path[0] = 0 }
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
    let length = MemoryLayout<sa_family_t>.size + path.count
    let bytes = Array(line.utf8)
    let count = withUnsafePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(file, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
      }
    }
    return count == bytes.count
  }
}

/// The name of this machine.
package enum MachineName {
  /// The host name without the domain; `rig` if there is none.
  package static var own: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "rig" }
    let name = String(
      decoding: bytes.prefix { $0 != 0 && $0 != 0x2E }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.isEmpty ? "rig" : name
  }
}
