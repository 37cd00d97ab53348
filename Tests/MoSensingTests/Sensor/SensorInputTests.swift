import Glibc
import MoCore
import MoOSC
import MoRuntime
import MoSensing
import MoTesting
import Testing

@Suite("The input of a sensor's server")
struct SensorIntakeTests {
  /// A device that repeats one reading until it is unplugged.
  private final class Device: EventTimer, @unchecked Sendable {
    // Unchecked: the loop services it, one thread at a time.
    let name = "fake:1"
    private(set) var nextTime: HostTime?
    private let last: HostTime
    private let deliver: @Sendable (AccelReading) -> Void

    init(from first: HostTime, until last: HostTime, deliver: @escaping @Sendable (AccelReading) -> Void) {
      nextTime = first
      self.last = last
      self.deliver = deliver
    }

    func service(until now: HostTime) throws {
      guard let due = nextTime, due <= now else { return }
      if due > last { throw SensorError.wentAway(name: name, reason: "pulled out") }
      nextTime = due.advanced(bySeconds: 0.1)
      deliver(AccelReading(time: due, x: 0, y: 0, z: 1))
    }
  }

  private func kind(
    devices: [NamedDevice] = [],
    _ open: @escaping @Sendable (SensorOpenContext<AccelReading>) throws -> Device?
  ) -> SensorKind<AccelReading> {
    SensorKind(
      option: "fake", noun: "a fake",
      rows: [
        // A folder without changes.
        SensorRow(
          "fake", forms: ["fake:1"], folder: "/proc/self/fdinfo", worksOffline: true, devices: { devices },
          open: { _, opening in try open(opening).map { OpenSource($0) } })
      ],
      standIn: { _, _ in throw SensorError.other("") })
  }

  private func run(_ isOffline: Bool) -> Run {
    var options = RunOptions()
    options.offline = isOffline
    options.quiet = true
    return Run(options)
  }

  /// A run in virtual time that waits for devices, as a rig does.
  private var waiting: Run {
    var options = RunOptions()
    options.offline = true
    options.quiet = true
    return Run(options, waitsForDevices: true)
  }

  /// Advances the virtual time of a run.
  private func play(_ run: Run, until seconds: Double) {
    let end = HostTime(seconds: seconds)
    while let next = run.input.nextTime, next <= end {
      run.frameClock?.advance(frames: max(0, Int((next.seconds(since: run.clock.now) * 48_000).rounded(.up))))
      run.input.service(until: next)
    }
  }

  @Test("logs a device that fails every 1.5 s at most ten times an hour while it waits for devices")
  func looseContact() throws {
    let said = Locked<[String]>([])
    let run = waiting
    let sensorInput = SensorInput(
      kind { opening in
        let now = opening.run.clock.now
        return Device(from: now, until: now.advanced(bySeconds: 1.45), deliver: opening.deliver)
      }, log: { _, text in said.withLock { $0.append(text) } })
    try sensorInput.start(source: "fake:1", in: run, prepare: {}, receive: { _ in }, changed: { _ in })
    play(run, until: 7200)
    sensorInput.stop()
    let lines = said.withLock { $0 }
    #expect((10...20).contains(lines.count), "\(lines.count)")
    #expect(lines.first == "fake:1 went away (pulled out)")
    #expect(lines.contains { $0.hasSuffix("It changes often: for an hour MoMu only counts its changes.") })
    #expect(lines.contains { $0.contains("more times in the last hour; the last change: ") })
  }

  @Test("logs that a device came back, after an hour in which its changes were only counted")
  func cameBack() throws {
    let logged = Locked<[String]>([])
    let opened = Locked(0)
    let run = waiting
    let sensorInput = SensorInput(
      kind { opening in
        let now = opening.run.clock.now
        let count = opened.withLock { opened in
          opened += 1
          return opened
        }
        // The fifth loss is the ninth line.
        let last = count <= 5 ? now.advanced(bySeconds: 1.45) : .distantFuture
        return Device(from: now, until: last, deliver: opening.deliver)
      }, log: { _, text in logged.withLock { $0.append(text) } })
    try sensorInput.start(source: "fake:1", in: run, prepare: {}, receive: { _ in }, changed: { _ in })
    play(run, until: 3590)
    #expect(logged.withLock { $0.count } == 9 && sensorInput.sourceName == "fake:1")
    #expect(
      logged.withLock { $0.last }
        == "fake:1 went away (pulled out). It changes often: for an hour MoMu only counts its changes.")
    play(run, until: 7200)
    #expect(logged.withLock { $0.count } == 10)
    #expect(
      logged.withLock { $0.last }
        == "fake:1 changed 1 more time in the last hour; the last change: Reading fake:1.")
    sensorInput.stop()
    #expect(run.input.nextTime == nil)
  }

  @Test("logs a new reason to wait once, and reports it until the device can be read")
  func newReason() throws {
    let said = Locked<[String]>([])
    let run = waiting
    let sensorInput = SensorInput(
      kind { opening in
        let now = opening.run.clock.now
        if now < HostTime(seconds: 5) { throw SensorError.noDevice(path: "/dev/fake", advice: "plug it in") }
        if now < HostTime(seconds: 60) { throw SensorError.noPermission(path: "/dev/fake") }
        return Device(from: now, until: .distantFuture, deliver: opening.deliver)
      }, log: { _, text in said.withLock { $0.append(text) } })
    try sensorInput.start(source: "fake:1", in: run, prepare: {}, receive: { _ in }, changed: { _ in })
    #expect(sensorInput.problem == "no device /dev/fake: plug it in")
    play(run, until: 30)
    let reason = "no access to /dev/fake: sudo chmod a+r /dev/fake, or start the program with sudo"
    #expect(sensorInput.problem == reason)
    #expect(said.withLock { $0 } == ["Waiting for fake:1: \(reason)"])
    play(run, until: 70)
    #expect(sensorInput.problem == nil && sensorInput.sourceName == "fake:1")
    #expect(said.withLock { $0 } == ["Waiting for fake:1: \(reason)", "Reading fake:1."])
    sensorInput.stop()
  }

  @Test("can be stopped by a callback while another thread stops it")
  func stoppedTwice() throws {
    let sensorInput = SensorInput(kind { Device(from: .zero, until: .distantFuture, deliver: $0.deliver) })
    let isInside = WakeEvent()
    let isOver = WakeEvent()
    try sensorInput.start(
      source: "fake:1", in: run(false), prepare: {},
      receive: { [unowned sensorInput] _ in
        isInside.raise()
        // The other thread is waiting for this callback by now, or is about to.
        while sensorInput.sourceName != nil { sched_yield() }
        sensorInput.stop()
      }, changed: { _ in })
    try #require(isInside.wait(for: .seconds(60)))
    let stopper = try MoThread(name: "stopper") { _ in
      sensorInput.stop()
      isOver.raise()
    }
    // The minute is a timeout, not a measurement: a hang becomes a failure.
    try #require(isOver.wait(for: .seconds(60)), "both wait for each other")
    stopper.join()
    #expect(sensorInput.sourceName == nil)
  }

  @Test("records readings that come while the source is being opened")
  func fromTheFirst() throws {
    let folder = Scratch()
    var options = RunOptions()
    options.offline = true
    options.quiet = true
    options.recordTape = "\(folder.path)/first.osc"
    let run = Run(options)
    let recorder = Locked<SensorInput<AccelReading>?>(nil)
    let sensorInput = SensorInput(
      kind { opening in
        // Like a key that was typed before the program polled.
        opening.deliver(AccelReading(time: .zero, x: 1, y: 0, z: 0))
        return Device(from: .zero, until: HostTime(seconds: 0.25), deliver: opening.deliver)
      })
    recorder.withLock { $0 = sensorInput }
    try sensorInput.start(
      source: "fake:1", in: run, prepare: {},
      receive: { reading in recorder.withLock { $0 }?.record(reading) },
      changed: { _ in })
    while let next = run.input.nextTime, next <= HostTime(seconds: 0.2) { run.input.service(until: next) }
    sensorInput.stop()
    let tape = try OSCTapeReader(path: "\(folder.path)/first.osc")
    var across: [OSCArgument?] = []
    while let entry = try tape.next() { across.append(entry.message.arguments.first) }
    #expect(across == [.float(1), .float(0), .float(0), .float(0)])
  }

  @Test("logs that an earlier tape was renamed, and reports no end of the recording")
  func earlierTape() throws {
    let folder = Scratch()
    var options = RunOptions()
    options.quiet = true
    options.recordTape = folder.file("take.osc")
    folder.run("echo earlier > take.osc")
    let logged = Locked<[MoLog.Level]>([])
    let hasEnded = Locked(false)
    let sensorInput = SensorInput(
      kind { Device(from: .distantFuture, until: .distantFuture, deliver: $0.deliver) },
      log: { level, text in if text.contains(" existed: ") { logged.withLock { $0.append(level) } } })
    try sensorInput.start(
      source: "fake:1", in: Run(options), prepare: {}, receive: { _ in },
      changed: { event in if case .recordingEnded = event { hasEnded.withLock { $0 = true } } })
    sensorInput.stop()
    #expect(logged.withLock { $0 } == [.notice])
    #expect(!hasEnded.withLock { $0 })
  }

  @Test("checks every second for a named device that is missing, if no event reports its return")
  func awaited() throws {
    let looks = Locked<[HostTime]>([])
    let heard = Locked<[HostTime]>([])
    let run = run(true)
    let now = Locked(HostTime.zero)
    let sensorInput = SensorInput(
      kind { opening in
        let now = now.withLock { $0 }
        looks.withLock { $0.append(now) }
        switch looks.withLock({ $0.count }) {
        case 1: return Device(from: .zero, until: HostTime(seconds: 2), deliver: opening.deliver)
        // It is missing for some seconds.
        case 2...5: return nil
        default: return Device(from: now, until: .distantFuture, deliver: opening.deliver)
        }
      })
    try sensorInput.start(
      source: "fake:1", in: run, prepare: {},
      receive: { reading in heard.withLock { $0.append(reading.time) } },
      changed: { _ in })
    while let next = run.input.nextTime, next <= HostTime(seconds: 10) {
      now.withLock { $0 = next }
      run.input.service(until: next)
    }
    let times = looks.withLock { $0.dropFirst() }
    #expect(times.count == 5)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1.seconds(since: $0) == 1 })
    #expect(try #require(heard.withLock { $0.last }) > HostTime(seconds: 9.8))
    sensorInput.stop()
    #expect(run.input.nextTime == nil)
  }

  @Test(
    "reads the best device again after some seconds without an answer, without an event of the kernel",
    arguments: [0, 1.5])
  func silentChip(from failure: Double) throws {
    let run = waiting
    let device = NamedDevice(name: "fake:1", about: "a chip on a bus", isReal: true, isOpen: true)
    let sensorInput = SensorInput(
      kind(devices: [device]) { opening in
        let now = opening.run.clock.now
        if now < HostTime(seconds: failure) {
          return Device(from: now, until: HostTime(seconds: failure - 0.05), deliver: opening.deliver)
        }
        if now < HostTime(seconds: 5) { throw SensorError.wentAway(name: "fake:1", reason: "no answer") }
        return Device(from: now, until: .distantFuture, deliver: opening.deliver)
      }, log: { _, _ in })
    try sensorInput.start(source: nil, in: run, prepare: {}, receive: { _ in }, changed: { _ in })
    play(run, until: 4)
    #expect(sensorInput.sourceName == nil && sensorInput.problem == "fake:1 went away (no answer)")
    play(run, until: 10)
    #expect(sensorInput.sourceName == "fake:1" && sensorInput.problem == nil)
    sensorInput.stop()
    #expect(run.input.nextTime == nil)
  }
}
