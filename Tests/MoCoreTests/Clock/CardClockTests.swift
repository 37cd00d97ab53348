import MoCore
import Testing

@Suite("A card's clock against host time")
struct CardClockTests {
  /// The largest errors of `time(ofFrame:)` at the next block's first frame, in milliseconds.
  struct Outcome {
    var settled = 0.0
    var overBound = 0
    var steps = 0
    var observations = 0
  }

  /// Plays for a number of seconds of virtual time; `each` may change the card.
  func play(
    _ card: inout SimulatedCard, _ clock: inout CardClock, seconds: Double, settling: Double = 10,
    each: (inout SimulatedCard, inout CardClock, Double) -> Void = { _, _, _ in }
  ) -> Outcome {
    var outcome = Outcome()
    let start = card.now
    var last = HostTime.distantPast
    while card.now - start < seconds * 1e9 {
      let elapsed = (card.now - start) * 1e-9
      each(&card, &clock, elapsed)
      let (frame, time) = card.report()
      clock.observe(frame: frame, at: time, written: card.written)
      let first = clock.time(ofFrame: card.written)
      if first <= last { outcome.steps += 1 }
      last = clock.time(ofFrame: card.written + card.block - 1)
      let error = abs(Double(first.nanoseconds) - card.truth(card.written)) * 1e-6
      if elapsed > settling { outcome.settled = max(outcome.settled, error) }
      if error * 1e-3 > clock.errorBound { outcome.overBound += 1 }
      outcome.observations += 1
      card.play(card.block)
    }
    return outcome
  }

  @Test("is usable from the first block, at the nominal rate from the first observation")
  func firstBlock() {
    var clock = CardClock(nominalRate: 48_000)
    #expect(clock.errorBound == .infinity)
    #expect(!clock.hasStarted)
    clock.observe(frame: 1000, at: HostTime(seconds: 5))
    #expect(clock.hasStarted)
    #expect(clock.time(ofFrame: 1000) == HostTime(seconds: 5))
    #expect(clock.time(ofFrame: 49_000) == HostTime(seconds: 6))
    #expect(clock.time(ofFrame: 952) == HostTime(seconds: 4.999))
    #expect(clock.driftPPM == 0)
    #expect(clock.errorBound < 0.1)
  }

  @Test("recovers an exact line: the offset to a microsecond, the rate to a thousandth of a ppm")
  func exactLine() {
    var card = SimulatedCard(ppm: -87, jitter: .none)
    var clock = CardClock(nominalRate: 48_000)
    let outcome = play(&card, &clock, seconds: 120, settling: 60)
    #expect(outcome.settled < 0.001)
    #expect(abs(clock.driftPPM - -87) < 0.001)
    #expect(abs(clock.nanosecondsPerFrame - card.nanosecondsPerFrame) < 1e-4)
    #expect(outcome.overBound == 0)
  }

  @Test(
    "at ±100 ppm, for an hour and any jitter, it is within 0.1 ms after 10 s, rising, and within its bound",
    arguments: [100.0, -100], SimulatedCard.Jitter.allCases)
  func anHour(ppm: Double, jitter: SimulatedCard.Jitter) {
    var card = SimulatedCard(ppm: ppm, jitter: jitter)
    var clock = CardClock(nominalRate: 48_000)
    let outcome = play(&card, &clock, seconds: 3600)
    #expect(outcome.settled < 0.1)
    #expect(abs(clock.driftPPM - ppm) < 5)
    #expect(outcome.steps == 0)
    #expect(outcome.overBound * 1000 <= outcome.observations)
  }

  @Test("follows a crystal that warms by 1 ppm a minute and cools again", arguments: [64, 256, 960])
  func thermalDrift(block: Int64) {
    var card = SimulatedCard(block: block, ppm: 40, jitter: .exponential)
    var clock = CardClock(nominalRate: 48_000)
    let outcome = play(&card, &clock, seconds: 1200) { card, _, elapsed in
      card.ppm = 40 + (elapsed < 600 ? elapsed : 1200 - elapsed) / 60
    }
    #expect(outcome.settled < 0.1)
    #expect(outcome.steps == 0)
  }

  @Test("learns a timer-driven card 1000 ppm off within 30 s")
  func timerDriven() {
    var card = SimulatedCard(ppm: -1000, jitter: .exponential)
    var clock = CardClock(nominalRate: 48_000)
    let outcome = play(&card, &clock, seconds: 60, settling: 30)
    #expect(outcome.settled < 0.1)
    #expect(abs(clock.driftPPM - -1000) < 5)
  }

  @Test("makes no step after two seconds without an observation and a wild stamp")
  func gap() {
    var card = SimulatedCard(ppm: 100, jitter: .gaussian)
    var clock = CardClock(nominalRate: 48_000)
    var gaps = 0
    let outcome = play(&card, &clock, seconds: 120) { card, clock, elapsed in
      guard elapsed > Double(30 * (gaps + 1)) else { return }
      gaps += 1
      card.play(96_000)
      let late = card.report()
      clock.observe(
        frame: late.frame, at: late.time.advanced(bySeconds: 0.05), written: card.written)
    }
    #expect(gaps == 3)
    #expect(outcome.settled < 0.1)
    #expect(outcome.steps == 0)
  }

  @Test("keeps the rate after an xrun, and jumps forward to the card's position")
  func xrun() {
    var card = SimulatedCard(ppm: 100, jitter: .gaussian)
    var clock = CardClock(nominalRate: 48_000)
    _ = play(&card, &clock, seconds: 60)
    let promised = clock.time(ofFrame: card.written)
    card.stall(nanoseconds: 30e6)
    clock.restart()
    #expect(clock.time(ofFrame: card.written) == promised)
    #expect(abs(clock.driftPPM - 100) < 1)
    let outcome = play(&card, &clock, seconds: 30, settling: 5)
    #expect(outcome.settled < 0.1)
    #expect(outcome.steps == 0)
    #expect(clock.time(ofFrame: card.written) > promised)
  }

  @Test("finds an unannounced jump, and corrects it without running back", arguments: [40e6, -40e6])
  func unannouncedJump(nanoseconds: Double) {
    var card = SimulatedCard(ppm: 20, jitter: .gaussian)
    var clock = CardClock(nominalRate: 48_000)
    _ = play(&card, &clock, seconds: 60)
    card.stall(nanoseconds: nanoseconds)
    let outcome = play(&card, &clock, seconds: 30, settling: 10)
    #expect(outcome.settled < 0.1)
    #expect(outcome.steps == 0)
    #expect(abs(clock.driftPPM - 20) < 2)
  }

  @Test("time does not run back on a change to another card with less latency and another rate")
  func anotherCard() {
    var clock = CardClock(nominalRate: 48_000)
    for block in 0..<2000 as Range<Int64> {
      clock.observe(
        frame: block * 480, at: HostTime(seconds: Double(block) * 0.01), written: (block + 4) * 480)
    }
    let written = 2003 * 480 as Int64
    let promised = clock.time(ofFrame: written)
    clock.restart(nominalRate: 44_100)
    // The new card plays frame `written` 20 ms earlier than the old one would have.
    let origin = promised.advanced(bySeconds: -0.02)
    var last = promised
    for block in 0..<1000 as Range<Int64> {
      let frame = written + block * 441
      clock.observe(frame: frame, at: origin.advanced(bySeconds: Double(block) * 0.01), written: frame)
      #expect(clock.time(ofFrame: frame) >= last)
      last = clock.time(ofFrame: frame + 440)
    }
    #expect(clock.nominalRate == 44_100)
    #expect(abs(clock.driftPPM) < 1)
    let truth = origin.advanced(bySeconds: 10)
    #expect(abs(clock.time(ofFrame: written + 441_000).seconds(since: truth)) < 0.0001)
  }
}
