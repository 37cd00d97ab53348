import Glibc
import MoMu
import MoProgram
import MoRig
import MoTime

/// One run of a rig, from its start to Ctrl-C, and what systemd is told of it.
///
/// - Thread: the main thread.
struct RigSession {
  private let configuration: RigConfiguration
  private let file: String
  private let seconds: Double?

  /// How often the thread that reads is looked after, in seconds.
  private static let pause = 1.0

  init(_ configuration: RigConfiguration, file: String, seconds: Double?) {
    self.configuration = configuration
    self.file = file
    self.seconds = seconds
  }

  /// Reads and sends until it is stopped.
  ///
  /// - Throws: `RigProblem` where a sensor cannot be read at all, `NetError`.
  func run() throws {
    let stop = StopWait()
    let manager = ServiceManager(environment: Run.environment())
    // What a rig does stands in its configuration alone: no variable of a shell changes it.
    let run = try Run(RunOptions(arguments: []), waitsForDevices: true)
    Run.begin(run)
    let rig = Rig(configuration, file: file, machine: MachineName.own, in: run)
    do {
      try rig.start()
      try NetServer.shared.listenIfWanted(in: run)
    } catch {
      finish(rig)
      throw error
    }
    complain(rig.description)
    for stream in configuration.streams {
      if let trouble = stream.trouble { complain("[\(stream.title)] waits: \(trouble)") }
      if let fault = stream.fault { complain("[\(stream.title)] says nothing: \(fault)") }
    }
    manager.tell("READY=1\nSTATUS=\(counted(configuration.streams.count, "sensor"))")
    attend(rig, stop, manager, run.clock)
    manager.tell("STOPPING=1")
    stop.letGo()
    finish(rig)
  }

  /// Looks after the rig until its time is over.
  private func attend(
    _ rig: Rig, _ stop: StopWait, _ manager: ServiceManager, _ clock: any TimeSource
  ) {
    let end = seconds.map { clock.now.advanced(bySeconds: $0) } ?? .distantFuture
    while clock.now < end {
      if stop.wait(until: min(end, clock.now.advanced(bySeconds: Self.pause))) { return }
      if rig.hangs() { beginAnew() }
      if manager.patience != nil { manager.tell("WATCHDOG=1") }
    }
  }

  private func finish(_ rig: Rig) {
    rig.stop()
    Run.current.end()
    MoNet.stop()
  }

  /// Becomes the same program again, at its start: a thread that hangs in the kernel can be ended in no other way.
  private func beginAnew() {
    complain("the thread that reads the sensors has not moved for half a minute: the rig begins anew")
    let words = CommandLine.arguments.map { strdup($0) } + [nil]
    execv("/proc/self/exe", words)
    complain("it could not begin anew: \(String(cString: strerror(errno)))")
    exit(1)
  }
}
