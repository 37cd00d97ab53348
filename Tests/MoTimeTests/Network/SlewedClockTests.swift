import MoTime
import Testing

@Suite("Another clock as readers see it")
struct SlewedClockTests {
  func estimate(at seconds: Double, offset: Int64, rate: Double = 0) -> ClockEstimate {
    ClockEstimate(
      at: HostTime(seconds: seconds), offset: offset, rate: rate, errorBound: 0, symmetricBound: 0,
      roundTrip: 0,
      leastRoundTrip: 0, loss: 0)
  }

  @Test("shows the own clock until it follows another, and believes the first estimate")
  func first() {
    var clock = SlewedClock()
    #expect(!clock.hasStarted)
    #expect(clock.other(at: HostTime(seconds: 3)) == HostTime(seconds: 3))
    clock.follow(estimate(at: 1, offset: 5_000_000_000, rate: 1e-4), at: HostTime(seconds: 1))
    #expect(clock.hasStarted)
    #expect(clock.other(at: HostTime(seconds: 1)) == HostTime(seconds: 6))
    #expect(clock.other(at: HostTime(seconds: 11)) == HostTime(seconds: 16.001))
  }

  @Test(
    "a difference of 1 ms fades within 500 ppm, without a step, and is gone",
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
}
