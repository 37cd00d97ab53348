import Glibc
import MoProgram
import MoRealTime
import MoSensors
import MoTime

/// A sensor of a configuration, and what sends its readings.
struct RunningStream: Sendable {
  let plan: RigStream
  let sender: StreamSender
  let sensor: RigSensor
}

/// Sensors in, OSC out, for months: reads what a configuration names, sends it on, and keeps at it.
///
/// Devices that are not there are waited for, targets that cannot be reached are tried again. It writes no file.
///
/// - Thread: the one that made it.
package final class Rig {
  private let file: String
  private let run: Run
  private let streams: [RunningStream]
  let courier: Courier
  private let pulse: Pulse
  private var watch = HangWatch()
  private var thread: MoThread?

  /// - Parameters:
  ///   - file: where the configuration stands, for what is said of it.
  ///   - machine: what the rig is called where its configuration does not say.
  package convenience init(_ configuration: RigConfiguration, file: String, machine: String, in run: Run) {
    self.init(configuration, file: file, machine: machine, in: run, on: OpenNetwork())
  }

  init(
    _ configuration: RigConfiguration, file: String, machine: String, in run: Run, on network: any RigNetwork,
    log: @escaping @Sendable (MoLog.Level, String) -> Void = { MoLog.log($0, $1) }
  ) {
    self.file = file
    self.run = run
    var targets: [RigTarget] = []
    func target(_ name: String) -> RigTarget {
      if let known = targets.first(where: { $0.name == name }) { return known }
      let made = RigTarget(name, on: network, log: log)
      targets.append(made)
      return made
    }
    let observers = configuration.targets.map { target($0) }
    let streams = configuration.streams.map { plan in
      let sender = StreamSender(plan, to: plan.targets.map { target($0) }, log: log)
      return RunningStream(plan: plan, sender: sender, sensor: plan.kind.sensor { sender.take($0, at: $1) })
    }
    self.streams = streams
    courier = Courier(
      targets: targets, observers: observers, streams: streams, rig: configuration.name ?? machine,
      every: configuration.statistics, clock: run.clock)
    pulse = Pulse(from: run.clock.now) {
      // What no folder tells of is looked for.
      for stream in streams where stream.sensor.source() == nil { stream.sensor.look() }
    }
  }

  /// Begins to read and send.
  ///
  /// - Throws: `RigProblem` where a sensor cannot be read at all, by its line.
  package func start() throws {
    try startCourier()
    for stream in streams {
      do {
        if stream.sender.keepsBack { try run.input.add(stream.sender) { _ in } }
        try stream.sensor.start(stream.plan.source, run)
      } catch {
        let sensor = (error as? SensorError)?.text { _ in .line(heading: "[\(stream.plan.title)]") }
        throw RigProblem(file: file, line: stream.plan.line, text: sensor ?? "\(error)")
      }
    }
    try run.input.add(pulse) { _ in }
  }

  /// Has the targets looked for before the first reading comes: what comes before a target is found is not sent.
  ///
  /// One that is a name may take long, and is not waited for: sensors are read all the same.
  private func startCourier() throws {
    guard !run.isOffline else { return }
    thread = try MoThread(name: "mo-courier") { [courier] thread in
      while !thread.isCancelled {
        courier.tend()
        thread.sleep(for: .milliseconds(500))
      }
    }
    let end = run.clock.now.advanced(bySeconds: Rig.patience)
    while !courier.hasLooked, run.clock.now < end { usleep(2000) }
  }

  /// How long the first look at the targets may hold up the sensors, in seconds.
  private static let patience = 1.0

  /// Stops, and lets go of all devices.
  package func stop() {
    for stream in streams {
      stream.sensor.stop()
      run.input.remove(stream.sender)
    }
    run.input.remove(pulse)
    // It may be waiting for a name, and is not waited for.
    thread?.cancel()
  }

  /// Whether the thread that reads the sensors hangs; to be asked about once a second.
  package func hangs() -> Bool { watch.hangs(beats: pulse.beats, at: run.clock.now) }

  /// What is read and where it goes, a line each.
  package var description: String {
    streams.map { stream in
      "[\(stream.plan.title)] \(stream.sensor.source() ?? "waits for its device") -> "
        + "\(stream.plan.address) at \(stream.plan.targets.joined(separator: ", "))"
    }.joined(separator: "\n")
  }
}
