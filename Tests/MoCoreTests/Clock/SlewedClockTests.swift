import MoCore
import MoSessionCore
import Testing

@Suite("Another clock as readers see it")
struct SlewedClockTests {
  func estimate(at seconds: Double, offset: Int64, rate: Double = 0) -> ClockEstimate {
    ClockEstimate(
      at: HostTime(seconds: seconds), offset: offset, rate: rate, errorBound: 0, symmetricBound: 0,
      roundTrip: 0, leastRoundTrip: 0, loss: 0)
  }

  @Test("shows the local clock until it follows another, and believes the first estimate")
  func first() {
    var clock = SlewedClock()
    #expect(!clock.hasStarted)
    #expect(clock.other(at: HostTime(seconds: 3)) == HostTime(seconds: 3))
    #expect(clock.own(at: HostTime(seconds: 3)) == HostTime(seconds: 3))
    clock.follow(estimate(at: 1, offset: 5_000_000_000, rate: 1e-4), at: HostTime(seconds: 1))
    #expect(clock.hasStarted)
    #expect(clock.other(at: HostTime(seconds: 1)) == HostTime(seconds: 6))
    #expect(clock.other(at: HostTime(seconds: 11)) == HostTime(seconds: 16.001))
    #expect(clock.own(at: HostTime(seconds: 16.001)) == HostTime(seconds: 11))
  }

  @Test(
    "a difference of 1 ms fades within 500 ppm, without a step, and disappears",
    arguments: [1_000_000, -1_000_000])
  func slews(by difference: Int64) {
    var clock = SlewedClock()
    clock.follow(estimate(at: 0, offset: 0, rate: 80e-6), at: .zero)
    let now = HostTime(seconds: 10)
    let before = clock.other(at: now)
    let later = estimate(at: 10, offset: 800_000 + difference, rate: -60e-6)
    clock.follow(later, at: now)
    #expect(clock.other(at: now) == before)
    var last = before
    for step in 1...500 as ClosedRange<Int64> {
      let moment = now.advanced(byNanoseconds: step * 10_000_000)
      let shown = clock.other(at: moment)
      #expect(abs((shown.nanoseconds - last.nanoseconds) - 10_000_000) <= 5001)
      last = shown
    }
    #expect(last == later.other(at: HostTime(seconds: 15)))
    #expect(clock.gap(at: HostTime(seconds: 15)) == 0)
  }

  @Test("jumps if the caller knows that nothing sounds")
  func settles() {
    var clock = SlewedClock()
    clock.follow(estimate(at: 0, offset: 0), at: .zero)
    clock.settle(on: estimate(at: 1, offset: -3_000_000_000), at: HostTime(seconds: 1))
    #expect(clock.other(at: HostTime(seconds: 2)) == HostTime(seconds: -1))
    #expect(clock.gap(at: HostTime(seconds: 1)) == 0)
  }

  @Test("for any estimates it rises, stays within 500 ppm, never steps, and converts back to local time")
  func wild() {
    var random = TestRandom(seed: 500)
    var clock = SlewedClock()
    clock.follow(estimate(at: 0, offset: 1 << 40, rate: 0), at: .zero)
    var (now, steepest, stepped, turned) = (HostTime.zero, 0.0, 0, Int64(0))
    for _ in 0..<20_000 {
      let pause = Int64(1 + random.exponential() * 100e6)
      let before = clock.other(at: now)
      now.nanoseconds += pause
      let shown = clock.other(at: now)
      // Rounded to whole nanoseconds on both sides.
      let bend = max(0, abs(Double(shown.nanoseconds - before.nanoseconds - pause)) - 1) / Double(pause)
      steepest = max(steepest, bend)
      turned = max(turned, abs(clock.own(at: shown).nanoseconds - now.nanoseconds))
      let offset = (1 << 40) + Int64(random.gaussian() * (random.uniform() < 0.1 ? 1e9 : 1e5))
      let rate = max(-200e-6, min(200e-6, 100e-6 * random.gaussian()))
      clock.follow(estimate(at: now.seconds, offset: offset, rate: rate), at: now)
      if clock.other(at: now) != shown { stepped += 1 }
    }
    #expect(steepest <= 500e-6)
    #expect(stepped == 0)
    #expect(turned <= 1)
  }

  @Test("a copy continues by itself, like a clock without estimates for an hour")
  func copies() {
    var clock = SlewedClock()
    clock.follow(estimate(at: 0, offset: 0), at: .zero)
    clock.follow(estimate(at: 1, offset: 2_000_000, rate: 40e-6), at: HostTime(seconds: 1))
    let copy = clock
    clock.settle(on: estimate(at: 2, offset: 0), at: HostTime(seconds: 2))
    #expect(copy.other(at: HostTime(seconds: 3601)) == HostTime(seconds: 3601 + 0.002 + 3600 * 40e-6))
  }

  @Test(
    "on any network, readers see a time as accurate as the estimates",
    arguments: SimulatedNetwork.all)
  func follows(network: SimulatedNetwork) {
    var errors = (estimates: [Double](), shown: [Double]())
    for seed in 1...3 as ClosedRange<UInt64> {
      let talk = SimulatedTalk(network, seed: seed)
      var comparison = ClockComparison()
      var clock = SlewedClock()
      talk.run(seconds: 60, into: &comparison) { elapsed, estimate, truth in
        let now = HostTime(seconds: elapsed)
        if elapsed < 3 { clock.settle(on: estimate, at: now) } else { clock.follow(estimate, at: now) }
        guard elapsed >= 10 else { return }
        let between = now.advanced(bySeconds: 0.05)
        let shown = clock.other(at: between).nanoseconds - between.nanoseconds
        errors.shown.append(abs(Double(shown) - talk.truth(elapsed + 0.05)))
        errors.estimates.append(abs(Double(estimate.offset) - truth))
      }
    }
    #expect(p95(errors.shown) < 1.2 * p95(errors.estimates) + 1000)
  }
}
