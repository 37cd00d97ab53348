import Glibc
import MoCore
import MoRuntime
import MoSensing

/// A rig: it reads the sensors of a configuration and sends their readings as OSC, for months.
///
/// It runs the valid parts of a configuration, and logs each mistake once. It waits for missing devices. It also tries
/// again to start sensors that failed, and to reach targets that are not reached. It writes no file.
///
/// - Thread: the thread that created it.
package final class Rig {
  private let run: Run
  private let network: any RigNetwork
  private let midi: (any RigMIDIPorts)?
  /// The rig's name if its configuration has none.
  private let machine: String
  private let log: @Sendable (MoLog.Level, String) -> Void
  private let state: Locked<RigState>
  package let resolver: TargetResolver
  private let pulse: Pulse
  private var watch = HangDetector()
  private var thread: MoThread?
  private var summary: RigSummary
  private var listening = OutputReceiver()
  private let outputClock: OutputClock

  /// - Parameter machine: the rig's name if its configuration has none.
  package convenience init(_ reading: RigReading, machine: String, in run: Run) {
    self.init(reading, machine: machine, in: run, on: OpenNetwork(), midi: Self.midi)
  }

  package init(
    _ reading: RigReading, machine: String, in run: Run, on network: any RigNetwork,
    midi: (any RigMIDIPorts)? = nil,
    log: @escaping @Sendable (MoLog.Level, String) -> Void = { MoLog.log($0, $1) }
  ) {
    self.run = run
    (self.network, self.midi) = (network, midi)
    self.log = log
    self.machine = machine
    let state = Locked(RigState())
    self.state = state
    outputClock = OutputClock { state.withLock { $0.outputs } }
    summary = RigSummary(since: run.clock.now)
    pulse = Pulse(from: run.clock.now)
    state.withLock { $0.configuration.statistics = reading.configuration.statistics }
    resolver = TargetResolver(state, clock: run.clock, isOffline: run.isOffline)
    apply(reading)
  }

  /// Applies another configuration; unchanged parts continue without a gap.
  package func apply(_ reading: RigReading) {
    let old = state.withLock { $0 }
    let configuration = reading.configuration
    var new = RigState()
    (new.configuration, new.file, new.mistakes) = (configuration, reading.file, reading.problems)
    new.name = configuration.name ?? machine
    let keepsTargets = configuration.confirms == old.configuration.confirms
    func target(_ name: String) -> RigTarget {
      if let known = new.targets.first(where: { $0.name == name }) { return known }
      let kept = keepsTargets ? old.targets.first { $0.name == name } : nil
      let target = kept ?? makeTarget(name, confirms: configuration.confirms, of: new.name)
      target.rename(rig: new.name)
      new.targets.append(target)
      return target
    }
    func port(_ name: String) -> RigMIDITarget {
      func isSame(_ port: RigMIDITarget) -> Bool {
        port.name == name && port.channel == configuration.midiChannel
      }
      if let known = new.midi.first(where: isSame) { return known }
      let port =
        old.midi.first(where: isSame)
        ?? RigMIDITarget(name, channel: configuration.midiChannel, log: log)
      new.midi.append(port)
      return port
    }
    let keepsPorts = configuration.midiChannel == old.configuration.midiChannel
    new.observers = configuration.targets.filter { !RigStream.isMIDI($0) }.map { target($0) }
    // Only keys of the same moment can be compared, since a link may lead to another port later.
    var sources: [RigSource.Key: RigSource] = [:]
    for plan in configuration.streams {
      let targets = plan.netTargets.map { target($0) }
      let ports = plan.midiPorts.map { port($0) }
      let kept =
        keepsTargets && (keepsPorts || ports.isEmpty) ? old.streams.first { $0.plan.plan == plan.plan } : nil
      let sender = kept?.sender ?? StreamSender(plan, to: targets, midi: ports, log: log)
      let key = RigSource.Key(plan)
      let known = sources[key] ?? old.sources.first { $0.serves(key, as: plan.source) }
      let source = known ?? RigSource(key, as: plan.source, for: [])
      sources[key] = source
      if !new.sources.contains(where: { $0 === source }) { new.sources.append(source) }
      new.streams.append(RunningStream(plan: plan, sender: sender, source: source))
    }
    // A device that another output will use must be released first.
    for output in old.outputs where !configuration.outputs.contains(where: { $0.plan == output.plan.plan }) {
      output.end()
    }
    new.outputs = configuration.outputs.map { plan in
      old.outputs.first { $0.plan.plan == plan.plan } ?? OutputDriver(plan, log: log)
    }
    new.portProblem = configuration.port == old.configuration.port ? old.portProblem : nil
    let now = run.clock.now
    for source in new.sources {
      source.serve(new.streams.filter { $0.source === source }.map(\.sender), now: now)
    }
    state.withLock { $0 = new }
    for problem in reading.problems { log(.warning, "\(problem)") }
    letGo(of: old, keeping: new)
  }

  private func makeTarget(_ name: String, confirms: Bool, of rig: String) -> RigTarget {
    RigTarget(
      name, on: network, confirming: confirms ? Confirmation(rig: rig) : nil, now: run.clock.now,
      log: log)
  }

  private func letGo(of old: RigState, keeping new: RigState) {
    for source in old.sources where !new.sources.contains(where: { $0 === source }) { source.sensor.stop() }
    for stream in old.streams where !new.streams.contains(where: { $0.sender === stream.sender }) {
      run.input.remove(stream.sender)
      stream.sender.releaseKeys()
    }
    for target in old.targets where !new.targets.contains(where: { $0 === target }) { target.close() }
    for port in old.midi where !new.midi.contains(where: { $0 === port }) { port.close(in: run) }
  }

  /// Starts to read the sensors and to send; later, `update` tries again to start sensors that failed.
  ///
  /// - Throws: `MoThread.Failure`.
  package func start() throws {
    try startResolver()
    update()
    try run.input.add(pulse) { _ in }
    try run.input.add(outputClock) { _ in }
  }

  /// Starts each sensor and opens each port that is not in use yet, and logs a summary once a day; call it about once a
  /// second.
  package func update() {
    let now = run.clock.now
    let state = state.withLock { $0 }
    // Before the sources, so that the first reading reaches them.
    for port in state.midi { port.update(midi, in: run) }
    for stream in state.streams where stream.sender.mayBegin() {
      try? run.input.add(stream.sender) { _ in }
    }
    for source in state.sources where !source.hasStarted {
      guard let first = state.streams.first(where: { $0.source === source }) else { continue }
      let wasFailing = source.failure != nil
      if let problem = source.start(first.plan.source, run, now: now) {
        log(
          .warning,
          "\(RigProblem(file: state.file, line: first.plan.line, text: problem)); the rig tries again"
        )
      } else if wasFailing, source.hasStarted {
        log(.notice, "[\(first.plan.title)] reads \(source.sensor.source() ?? "its device") now.")
      }
    }
    updatePort(state)
    for line in summary.daily(of: state, now: now) { log(.notice, line) }
  }

  private func updatePort(_ known: RigState) {
    // In virtual time there is no network.
    guard !run.isOffline else { return }
    let port = known.outputs.isEmpty ? nil : known.configuration.port
    let line = listening.update(port, in: run) { [state] in state.withLock { $0.outputs } }
    if let line { log(line.0, line.1) }
    state.withLock { $0.portProblem = listening.failure }
  }

  /// Looks up the targets before the first reading, since a message to an unknown target is not sent.
  ///
  /// Looking up a name may take long, so the sensors wait at most 1 s for the first lookups.
  private func startResolver() throws {
    guard !run.isOffline else { return }
    thread = try MoThread(name: "mo-resolver") { [resolver] thread in
      while !thread.isCancelled {
        resolver.update()
        thread.sleep(for: .milliseconds(500))
      }
    }
    let end = run.clock.now.advanced(bySeconds: Rig.timeout)
    while !resolver.hasLooked, run.clock.now < end { usleep(2000) }
  }

  /// The longest time, in seconds, that sensors wait at the start for the first lookups of the targets; `stop` waits as
  /// long for the receivers' last answers.
  private static let timeout = 1.0

  /// Stops, releases all devices, and logs the final counts of messages.
  package func stop() {
    let state = state.withLock { $0 }
    listening.close(in: run)
    run.input.remove(outputClock)
    for output in state.outputs { output.end() }
    for source in state.sources { source.sensor.stop() }
    for stream in state.streams { run.input.remove(stream.sender) }
    run.input.remove(pulse)
    for port in state.midi { port.close(in: run) }
    if !run.isOffline { finish(state.targets) }
    // Other threads may be waiting for names, so the rig does not wait for their end.
    thread?.cancel()
    for target in state.targets {
      target.readReports(now: run.clock.now)
      target.close()
    }
    for line in summary.last(of: state, now: run.clock.now) { log(.notice, line) }
  }

  /// Asks the receivers a last time for their counts.
  ///
  /// The function waits at most 1 s for the answers, and for connections that still deliver messages.
  private func finish(_ targets: [RigTarget]) {
    for target in targets { target.askForConfirmation(run.clock.now, isLast: true) }
    let end = run.clock.now.advanced(bySeconds: Rig.timeout)
    repeat {
      for target in targets { target.readReports(now: run.clock.now) }
      if !targets.contains(where: { $0.isDelivering || $0.counts.arrived != nil && !$0.isConfirmed }) {
        return
      }
      usleep(20_000)
    } while run.clock.now < end
  }

  /// Returns whether the thread that reads the sensors hangs; call it about once a second.
  package func hangs() -> Bool { watch.hangs(beats: pulse.beats, at: run.clock.now) }

  /// The source that the thread which reads the sensors is reading now; nil if the thread waits for readings.
  package var sourceInService: String? { run.input.inService }

  /// A line for each sensor, with its source and targets, and a line for each output, with its address and device.
  package var description: String {
    let state = state.withLock { $0 }
    let streams = state.streams.map { stream in
      let source = stream.source.sensor.source() ?? "waits for its device"
      let channel = stream.plan.channel.map { ", \($0)" } ?? ""
      return "[\(stream.plan.title)] \(source)\(channel) -> "
        + "\(stream.plan.address) at \(stream.plan.targets.joined(separator: ", "))"
    }
    return (streams + state.outputs.map(\.plan.summary)).joined(separator: "\n")
  }

  /// The line for systemd: how many sensors are read, targets are reached and outputs are set, and the first problem.
  package var status: String { RigSummary.status(of: state.withLock { $0 }) }
}
