import Glibc
import MoCore
import MoOSC
import MoTesting
import Testing

@testable import MoCore
@testable import MoRuntime
@testable import MoSensing

@Suite("The intake of a sensor's server")
struct SensorIntakeTests {
  /// A device that repeats one reading until it is unplugged.
  private final class Device: EventSource, @unchecked Sendable {
    // Unchecked: the loop services it, one thread at a time.
    let name = "fake:1"
    let descriptor: Int32? = nil
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
    _ open: @escaping @Sendable (SensorOpenContext<AccelReading>) -> Device?
  ) -> SensorKind<AccelReading> {
    SensorKind(
      option: "fake", noun: "a fake",
      rows: [
        // A folder without changes.
        SensorRow(
          "fake", forms: ["fake:1"], folder: "/proc/self/fdinfo", worksOffline: true, devices: { [] },
          open: { _, opening in open(opening).map { OpenSource($0) } })
      ],
      standIn: { _, _ in throw SensorError.other("") })
  }

  private func run(_ isOffline: Bool) -> Run {
    var options = RunOptions()
    options.offline = isOffline
    options.quiet = true
    return Run(options)
  }

  @Test("can be stopped by a callback while another thread stops it")
  func stoppedTwice() throws {
    let intake = SensorInput(kind { Device(from: .zero, until: .distantFuture, deliver: $0.deliver) })
    let isInside = WakeEvent()
    let isOver = WakeEvent()
    try intake.start(
      source: "fake:1", in: run(false), prepare: {},
      take: { [unowned intake] _ in
        isInside.raise()
        // The other thread is waiting for this callback by now, or is about to.
        while intake.sourceName != nil { sched_yield() }
        intake.stop()
      }, changed: { _ in })
    try #require(isInside.wait(for: .seconds(60)))
    let stopper = try MoThread(name: "stopper") { _ in
      intake.stop()
      isOver.raise()
    }
    // The minute is a timeout, not a measurement: a hang becomes a failure.
    try #require(isOver.wait(for: .seconds(60)), "both wait for each other")
    stopper.join()
    #expect(intake.sourceName == nil)
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
    let intake = SensorInput(
      kind { opening in
        // Like a key that was typed before the program polled.
        opening.deliver(AccelReading(time: .zero, x: 1, y: 0, z: 0))
        return Device(from: .zero, until: HostTime(seconds: 0.25), deliver: opening.deliver)
      })
    recorder.withLock { $0 = intake }
    try intake.start(
      source: "fake:1", in: run, prepare: {}, take: { reading in recorder.withLock { $0 }?.record(reading) },
      changed: { _ in })
    while let next = run.input.nextTime, next <= HostTime(seconds: 0.2) { run.input.service(until: next) }
    intake.stop()
    let tape = try OSCTapeReader(path: "\(folder.path)/first.osc")
    var across: [OSCArgument?] = []
    while let entry = try tape.next() { across.append(entry.message.arguments.first) }
    #expect(across == [.float(1), .float(0), .float(0), .float(0)])
  }

  @Test("checks every second for a named device that is missing, if no event reports its return")
  func awaited() throws {
    let looks = Locked<[HostTime]>([])
    let heard = Locked<[HostTime]>([])
    let run = run(true)
    let now = Locked(HostTime.zero)
    let intake = SensorInput(
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
    try intake.start(
      source: "fake:1", in: run, prepare: {}, take: { reading in heard.withLock { $0.append(reading.time) } },
      changed: { _ in })
    while let next = run.input.nextTime, next <= HostTime(seconds: 10) {
      now.withLock { $0 = next }
      run.input.service(until: next)
    }
    let times = looks.withLock { $0.dropFirst() }
    #expect(times.count == 5)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1.seconds(since: $0) == 1 })
    #expect(try #require(heard.withLock { $0.last }) > HostTime(seconds: 9.8))
    intake.stop()
    #expect(run.input.nextTime == nil)
  }
}
