import MoCore
import MoSessionCore
import Testing

@Suite("Another machine's clock from a few packets")
struct ClockComparisonTests {
  /// Returns an exchange that takes `out` and `back` nanoseconds, 50 s apart from the other clock.
  func exchange(at sent: Int64, out: Int64, back: Int64) -> ClockExchange {
    let away: Int64 = 50_000_000_000
    return ClockExchange(
      sent: HostTime(nanoseconds: sent), received: HostTime(nanoseconds: sent + out + away),
      answered: HostTime(nanoseconds: sent + out + away + 1_000_000),
      returned: HostTime(nanoseconds: sent + out + back + 1_000_000))
  }

  /// Returns a comparison after 10 s of exchanges of 2 ms out and 2 ms back, four a second.
  func settled() -> ClockComparison {
    var comparison = ClockComparison()
    for count in 0..<40 as Range<Int64> {
      comparison.add(exchange(at: count * 250_000_000, out: 2_000_000, back: 2_000_000))
    }
    return comparison
  }

  let later = HostTime(seconds: 10)

  @Test("claims nothing before a packet went each way")
  func nothing() {
    var comparison = ClockComparison()
    #expect(comparison.estimate(at: .zero) == nil)
    comparison.add(outbound: ClockCrossing(own: HostTime(seconds: 1), other: HostTime(seconds: 7)))
    #expect(comparison.estimate(at: .zero) == nil)
    comparison.add(inbound: ClockCrossing(own: HostTime(seconds: 1.002), other: HostTime(seconds: 7)))
    #expect(comparison.estimate(at: HostTime(seconds: 1)) != nil)
  }

  @Test("one exchange gives the midpoint, with an error of at most half the round trip (Cristian 1989)")
  func oneExchange() throws {
    var comparison = ClockComparison()
    comparison.add(exchange(at: 1_000_000_000, out: 3_000_000, back: 1_000_000))
    let estimate = try #require(comparison.estimate(at: HostTime(nanoseconds: 1_002_500_000)))
    #expect(estimate.offset == 50_001_000_000)
    #expect(estimate.roundTrip == 4e6)
    #expect(abs(estimate.leastRoundTrip - 4e6) < 1)
    #expect(abs(estimate.errorBound - 2e6) < 1e3)
    #expect(estimate.loss == 0)
    #expect(estimate.other(at: HostTime(seconds: 2)) == HostTime(seconds: 52.001))
  }

  @Test("constant delays give offset and rate exactly")
  func exact() throws {
    var comparison = ClockComparison()
    var talk = SimulatedTalk(
      SimulatedNetwork(
        name: "constant", out: .constant(1e6), back: .constant(1e6), wanted: 0, wantedSoon: 0, soon: 0),
      seed: 1)
    talk.rate = -87e-6
    talk.run(seconds: 60, into: &comparison) { elapsed, estimate, truth in
      guard elapsed > 10 else { return }
      #expect(abs(Double(estimate.offset) - truth) < 1000)
      #expect(abs(estimate.rate + 87e-6) < 0.1e-6)
    }
  }

  @Test("continues with packets in one direction only")
  func oneWay() throws {
    var comparison = settled()
    for count in 40..<120 as Range<Int64> {
      comparison.add(inbound: exchange(at: count * 250_000_000, out: 2_000_000, back: 2_000_000).inbound)
    }
    let estimate = try #require(comparison.estimate(at: HostTime(seconds: 30)))
    #expect(abs(estimate.offset - 50_000_000_000) < 100_000)
    #expect(estimate.symmetricBound < 1e6)
  }

  @Test(
    "one bad stamp, an hour off either way, changes nothing",
    arguments: [-3_600_000_000_000, 3_600_000_000_000])
  func badStamp(by error: Int64) throws {
    var comparison = settled()
    var bad = exchange(at: 10_000_000_000, out: 2_000_000, back: 2_000_000)
    bad.received.nanoseconds += error
    bad.answered.nanoseconds += error
    comparison.add(bad)
    for count in 41..<60 as Range<Int64> {
      comparison.add(exchange(at: count * 250_000_000, out: 2_000_000, back: 2_000_000))
    }
    let estimate = try #require(comparison.estimate(at: later))
    #expect(abs(estimate.offset - 50_000_000_000) < 10_000)
    #expect(comparison.steps == 0)
  }

  @Test("ignores impossible exchanges, however wild")
  func nonsense() throws {
    var comparison = settled()
    let before = comparison.estimate(at: later)
    let good = exchange(at: 10_000_000_000, out: 2_000_000, back: 2_000_000)
    for wild in [Int64.min, .min + 1, -1 << 62, 1 << 62, .max - 1, .max] {
      for stamp in [\ClockExchange.sent, \.received, \.answered, \.returned] {
        var exchange = good
        exchange[keyPath: stamp].nanoseconds = wild
        comparison.add(exchange)
      }
    }
    comparison.add(exchange(at: 10_000_000_000, out: -5_000_000, back: 2_000_000))
    #expect(comparison.estimate(at: later) == before)
    _ = comparison.estimate(at: .distantFuture)
    _ = comparison.estimate(at: .distantPast)
  }

  @Test("forgets the offset after a reported step, but keeps the rate")
  func forget() throws {
    var comparison = ClockComparison()
    var talk = SimulatedTalk(.wire, seed: 2)
    talk.rate = 90e-6
    talk.run(seconds: 60, into: &comparison)
    comparison.forget()
    #expect(comparison.estimate(at: later) == nil)
    #expect(comparison.interval == 0.05)
    comparison.add(exchange(at: 90_000_000_000, out: 150_000, back: 150_000))
    let estimate = try #require(comparison.estimate(at: HostTime(seconds: 90)))
    #expect(abs(estimate.rate - 90e-6) < 3e-6)
    #expect(abs(estimate.offset - 50_000_000_000) < 1000)
  }

  @Test("counts losses, which reduce the quality as the bound does")
  func quality() throws {
    var comparison = settled()
    let perfect = try #require(comparison.estimate(at: later))
    #expect(perfect.loss == 0)
    #expect(perfect.quality > 0.9)
    for _ in 0..<22 { comparison.addLoss() }
    let half = try #require(comparison.estimate(at: later))
    // (31/32)^22 is one half.
    #expect(abs(half.loss - 0.5) < 0.01)
    #expect(abs(half.quality - perfect.quality / 2) < 0.01)
    let stale = try #require(comparison.estimate(at: HostTime(seconds: 3600)))
    #expect(stale.quality < half.quality / 2)
  }

  @Test("asks for 20 exchanges a second at first, and for 4 in the end")
  func interval() {
    var comparison = ClockComparison()
    #expect(comparison.interval == 0.05)
    comparison.add(exchange(at: 0, out: 1_000_000, back: 1_000_000))
    #expect(comparison.interval == 0.05)
    comparison.add(exchange(at: 5_000_000_000, out: 1_000_000, back: 1_000_000))
    #expect(comparison.interval == 0.125)
    comparison.add(exchange(at: 16_000_000_000, out: 1_000_000, back: 1_000_000))
    #expect(comparison.interval == 0.25)
  }
}
