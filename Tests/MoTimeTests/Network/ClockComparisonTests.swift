import MoTime
import Testing

@Suite("Another machine's clock through a network")
struct ClockComparisonTests {
  @Test("nothing is claimed before a packet went each way")
  func nothing() {
    var comparison = ClockComparison()
    #expect(comparison.estimate(at: .zero) == nil)
    comparison.add(outbound: ClockCrossing(own: HostTime(seconds: 1), other: HostTime(seconds: 7)))
    #expect(comparison.estimate(at: .zero) == nil)
    comparison.add(inbound: ClockCrossing(own: HostTime(seconds: 1.002), other: HostTime(seconds: 7)))
    #expect(comparison.estimate(at: HostTime(seconds: 1)) != nil)
  }

  @Test("one exchange: half way between, and wrong by half the round trip at most (Cristian 1989)")
  func oneExchange() throws {
    var comparison = ClockComparison()
    comparison.add(
      ClockExchange(
        sent: HostTime(nanoseconds: 1_000_000_000), received: HostTime(nanoseconds: 51_003_000_000),
        answered: HostTime(nanoseconds: 51_004_000_000), returned: HostTime(nanoseconds: 1_005_000_000)))
    let estimate = try #require(comparison.estimate(at: HostTime(nanoseconds: 1_002_500_000)))
    #expect(estimate.offset == 50_001_000_000)
    #expect(estimate.roundTrip == 4e6)
    #expect(abs(estimate.errorBound - 2e6) < 1e3)
    #expect(estimate.other(at: HostTime(seconds: 2)) == HostTime(seconds: 52.001))
  }

  @Test(
    "wanted: p95 of the error from 10 s on, soon after the start, and over 9 s without packets",
    arguments: SimulatedNetwork.all.dropLast(2))
  func wanted(network: SimulatedNetwork) {
    var late: [Double] = []
    var soon: [Double] = []
    var silent: [Double] = []
    for seed in 1...5 as ClosedRange<UInt64> {
      var talk = SimulatedTalk(network, seed: seed)
      talk.silence = 50..<59
      follow(talk, seconds: 90) { elapsed, estimate in
        let error = abs(Double(estimate.offset) - talk.truth(elapsed))
        if elapsed >= network.soon, elapsed < 10 { soon.append(error) }
        if elapsed >= 10 { late.append(error) }
        if talk.silence.contains(elapsed) { silent.append(error) }
      }
    }
    #expect(percentile(late, 0.95) < network.wanted)
    #expect(percentile(soon, 0.95) < network.wantedSoon)
    #expect(percentile(silent, 0.95) < 0.5e6)
  }

  /// Runs a talk and shows the estimate ten times a second.
  private func follow(
    _ talk: SimulatedTalk, seconds: Double, _ comparison: ClockComparison = ClockComparison(),
    show: (Double, ClockEstimate) -> Void
  ) {
    var talk = talk
    var comparison = comparison
    var tick = 1
    for packet in talk.packets(seconds: seconds) {
      while Double(tick) * 1e8 < packet.arrives {
        let elapsed = Double(tick) * 0.1
        if let estimate = comparison.estimate(at: HostTime(seconds: elapsed)) { show(elapsed, estimate) }
        tick += 1
      }
      feed(packet, to: &comparison)
    }
  }

  private func feed(_ packet: SimulatedTalk.Packet, to comparison: inout ClockComparison) {
    if packet.backLost { return comparison.addLoss() }
    comparison.add(packet.exchange)
  }

  private func percentile(_ values: [Double], _ share: Double) -> Double {
    values.sorted()[min(values.count - 1, Int(share * Double(values.count)))]
  }
}
