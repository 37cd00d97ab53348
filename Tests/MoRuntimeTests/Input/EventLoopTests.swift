import MoCore
import MoRuntime
import Synchronization
import Testing

/// A source that is due periodically, and fails on request.
private final class Ticker: EventTimer, @unchecked Sendable {
  // Unchecked: the loop services it, one thread at a time.
  let name = "ticker"
  private(set) var next: Int64
  private let period: Int64
  let heard: @Sendable (HostTime) -> Void
  var failsAt: Int64 = .max

  struct Broken: Error {}

  init(first: Int64 = 0, period: Int64, heard: @escaping @Sendable (HostTime) -> Void) {
    next = first
    self.period = period
    self.heard = heard
  }

  var nextTime: HostTime? { HostTime(nanoseconds: next) }

  func service(until now: HostTime) throws {
    while next <= now.nanoseconds {
      if next >= failsAt { throw Broken() }
      heard(HostTime(nanoseconds: next))
      next += period
    }
  }
}

/// A source that is always overdue after its first service: it got data while others were serviced.
private final class OverdueSource: EventTimer, @unchecked Sendable {
  // Unchecked: the loop services it, one thread at a time.
  let name = "overdue"
  private(set) var nextTime: HostTime? = .zero
  private let heard: WakeEvent
  private var turns = 0

  init(heard: WakeEvent) { self.heard = heard }

  func service(until now: HostTime) {
    turns += 1
    nextTime = turns == 1 ? .distantPast : nil
    if turns == 2 { heard.raise() }
  }
}

/// A source that is due once, and may be serviced an hour later.
private final class SlackSource: EventTimer, @unchecked Sendable {
  // Unchecked: the loop services it, one thread at a time.
  let name = "slack"
  let slack: Int64 = 3_600_000_000_000
  private(set) var nextTime: HostTime?
  private let heard: WakeEvent

  init(due: HostTime, heard: WakeEvent) { (nextTime, self.heard) = (due, heard) }

  func service(until now: HostTime) {
    nextTime = nil
    heard.raise()
  }
}

/// A source that is due only while its flag is up.
private final class ServicedSource: EventSource, @unchecked Sendable {
  // Unchecked: the loop services it, one thread at a time; the count is atomic.
  let name = "serviced"
  let nextTime: HostTime? = nil
  let flag = WakeEvent()
  let turns = Atomic<Int>(0)
  let keepsDescriptor: Bool
  private let heard: WakeEvent

  init(heard: WakeEvent, keepsDescriptor: Bool = false) {
    (self.heard, self.keepsDescriptor) = (heard, keepsDescriptor)
  }

  var descriptor: Int32? { flag.descriptor }

  func service(until now: HostTime) {
    turns.wrappingAdd(1, ordering: .relaxed)
    if flag.lower() { heard.raise() }
  }
}

@Suite("The input loop")
struct InputLoopTests {
  @Test("its thread services a source when it is due, and not when others are")
  func turns() throws {
    let loop = EventLoop(clock: SystemClock())
    let serviced = WakeEvent()
    let source = ServicedSource(heard: serviced)
    try loop.add(source) { _ in }
    let ticked = WakeEvent()
    let ticks = Atomic<Int>(0)
    let ticker = Ticker(first: SystemClock().now.nanoseconds, period: 1_000_000) { _ in
      if ticks.wrappingAdd(1, ordering: .relaxed).newValue == 20 { ticked.raise() }
    }
    try loop.add(ticker) { _ in }
    ticked.wait(for: nil)
    let unasked = source.turns.load(ordering: .relaxed)
    #expect(unasked == 0)
    source.flag.raise()
    #expect(serviced.wait(for: .seconds(60)))
    loop.remove(source)
    loop.remove(ticker)
    let asked = source.turns.load(ordering: .relaxed)
    #expect(asked == 1)
  }

  @Test(
    "services the ready one of many sources, also after others were removed", arguments: [true, false])
  func readyOfMany(keeps: Bool) throws {
    let loop = EventLoop(clock: SystemClock())
    let serviced = WakeEvent()
    let sources = (0..<20).map { _ in ServicedSource(heard: serviced, keepsDescriptor: keeps) }
    for source in sources { try loop.add(source) { _ in } }
    sources[7].flag.raise()
    #expect(serviced.wait(for: .seconds(60)))
    for source in sources.prefix(7) { loop.remove(source) }
    sources[19].flag.raise()
    #expect(serviced.wait(for: .seconds(60)))
    for source in sources { loop.remove(source) }
    #expect(sources.map { $0.turns.load(ordering: .relaxed) } == (0..<20).map { $0 == 7 || $0 == 19 ? 1 : 0 })
  }

  @Test("its thread services a source that may wait when another source is due")
  func slack() throws {
    let loop = EventLoop(clock: SystemClock())
    let heard = WakeEvent()
    try loop.add(Ticker(first: SystemClock().now.nanoseconds, period: 1_000_000_000) { _ in }) { _ in }
    try loop.add(SlackSource(due: SystemClock().now.advanced(bySeconds: 0.1), heard: heard)) { _ in }
    #expect(heard.wait(for: .seconds(60)))
  }

  @Test("its thread does not wait while a source is overdue")
  func overdue() throws {
    let loop = EventLoop(clock: SystemClock())
    let heard = WakeEvent()
    let source = OverdueSource(heard: heard)
    try loop.add(source) { _ in }
    #expect(heard.wait(for: .seconds(60)))
    loop.remove(source)
  }

  @Test("driven by hand, it delivers what is due and reports the next time")
  func driven() throws {
    let loop = EventLoop(clock: ManualClock(), isDriven: true)
    let heard = Mutex<[Int64]>([])
    try loop.add(Ticker(first: 10, period: 10) { time in heard.withLock { $0.append(time.nanoseconds) } }) {
      _ in
    }
    try loop.add(Ticker(first: 5, period: 100) { time in heard.withLock { $0.append(time.nanoseconds) } }) {
      _ in
    }
    #expect(loop.nextTime == HostTime(nanoseconds: 5))
    loop.service(until: HostTime(nanoseconds: 25))
    #expect(heard.withLock { $0 } == [5, 10, 20])
    #expect(loop.nextTime == HostTime(nanoseconds: 30))
  }

  @Test("reports a failing source once and removes it; the others continue")
  func failing() throws {
    let loop = EventLoop(clock: ManualClock(), isDriven: true)
    let heard = Atomic<Int>(0)
    let ended = Atomic<Int>(0)
    let broken = Ticker(period: 10) { _ in }
    broken.failsAt = 20
    try loop.add(broken) { _ in ended.wrappingAdd(1, ordering: .relaxed) }
    try loop.add(Ticker(period: 10) { _ in heard.wrappingAdd(1, ordering: .relaxed) }) { _ in }
    for moment in 0..<10 { loop.service(until: HostTime(nanoseconds: Int64(moment) * 10)) }
    let (ends, ticks) = (ended.load(ordering: .relaxed), heard.load(ordering: .relaxed))
    #expect(ends == 1)
    #expect(ticks == 10)
  }

  @Test("its thread services an added source, and a removed source delivers nothing more")
  func thread() throws {
    let loop = EventLoop(clock: SystemClock())
    let heard = Atomic<Int>(0)
    let first = WakeEvent()
    let now = SystemClock().now.nanoseconds
    let ticker = Ticker(first: now, period: 1_000_000) { _ in
      if heard.wrappingAdd(1, ordering: .relaxed).newValue == 5 { first.raise() }
    }
    try loop.add(ticker) { _ in }
    first.wait(for: nil)
    loop.remove(ticker)
    let atRemoval = heard.load(ordering: .relaxed)
    let other = WakeEvent()
    let again = Atomic<Int>(0)
    let later = Ticker(first: SystemClock().now.nanoseconds, period: 1_000_000) { _ in
      if again.wrappingAdd(1, ordering: .relaxed).newValue == 5 { other.raise() }
    }
    try loop.add(later) { _ in }
    other.wait(for: nil)
    loop.remove(later)
    let afterwards = heard.load(ordering: .relaxed)
    #expect(afterwards == atRemoval)
  }

  @Test("services an input that is added while the last one is removed, 20,000 times")
  func handOver() throws {
    let loop = EventLoop(clock: SystemClock())
    for turn in 0..<20_000 {
      let heard = WakeEvent()
      let ticker = Ticker(period: .max / 2) { _ in heard.raise() }
      try loop.add(ticker) { _ in }
      // The minute is a timeout, not a measurement: a hang becomes a failure.
      try #require(heard.wait(for: .seconds(60)), "nobody services input \(turn)")
      loop.remove(ticker)
      // Each time a little later, so that one of them arrives while the thread ends.
      for _ in 0..<(turn % 200) { _ = loop.nextTime }
    }
  }
}
