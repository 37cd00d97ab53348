import MoCore
import MoSessionCore
import Testing

/// The laws that hold on any network, in seeded simulations.
@Suite("Another machine's clock through simulated networks")
struct ClockComparisonLaws {
  @Test(
    "is as accurate as wanted from 10 s on, soon after the start, and through 9 s without packets",
    arguments: SimulatedNetwork.all.dropLast(2) + [.lopsided])
  func wanted(network: SimulatedNetwork) {
    var (late, soon, silent) = ([Double](), [Double](), [Double]())
    for seed in 1...6 as ClosedRange<UInt64> {
      var talk = SimulatedTalk(network, seed: seed)
      talk.silence = seed % 2 == 0 ? 15..<24 : 50..<59
      var comparison = ClockComparison()
      talk.run(seconds: 90, into: &comparison) { elapsed, estimate, truth in
        let error = abs(Double(estimate.offset) - truth)
        if (network.soon..<10).contains(elapsed) { soon.append(error) }
        if talk.silence.contains(elapsed) {
          silent.append(error)
        } else if elapsed >= 10 {
          late.append(error)
        }
      }
    }
    #expect(p95(late) < network.wanted)
    #expect(p95(soon) < network.wantedSoon)
    #expect(p95(silent) < 0.5e6)
  }

  @Test("95 of 100 errors are within the symmetric bound; no bound is too wide", arguments: [0, 1e-6 / 60])
  func honest(wander: Double) {
    var (within, beyond, wider) = (0, 0, 0)
    for network in SimulatedNetwork.all + [.lopsided] {
      var bounds: [Double] = []
      for seed in 11...15 as ClosedRange<UInt64> {
        var talk = SimulatedTalk(network, seed: seed)
        talk.wander = wander
        talk.silence = 40..<49
        var comparison = ClockComparison()
        talk.run(seconds: 90, into: &comparison) { _, estimate, truth in
          let error = abs(Double(estimate.offset) - truth)
          if error <= estimate.symmetricBound { within += 1 } else { beyond += 1 }
          if estimate.symmetricBound > estimate.errorBound { wider += 1 }
          bounds.append(estimate.symmetricBound)
        }
      }
      #expect(p95(bounds) < 5e6)
    }
    #expect(Double(within) > 0.95 * Double(within + beyond))
    #expect(wider == 0)
  }

  @Test(
    "a path that is 40 ms longer shifts the offset by 20 ms, within the error bound",
    arguments: [true, false])
  func asymmetry(out: Bool) {
    var network = SimulatedNetwork.good[0]
    let slow = SimulatedDelay.logNormal(floor: 41.801e6, median: 104.6e3, sigma: 1.4186)
    if out { network.out = slow } else { network.back = slow }
    var (within, beyond) = (0, 0)
    var worst = (off: 0.0, bound: 0.0)
    for seed in 1...10 as ClosedRange<UInt64> {
      var talk = SimulatedTalk(network, seed: seed)
      talk.silence = 12..<21
      var comparison = ClockComparison()
      talk.run(seconds: 60, into: &comparison) { elapsed, estimate, truth in
        let error = abs(Double(estimate.offset) - truth)
        if error <= estimate.errorBound { within += 1 } else { beyond += 1 }
        if elapsed > 21 { worst.off = max(worst.off, abs(error - 20e6)) }
        worst.bound = max(worst.bound, estimate.errorBound)
      }
    }
    #expect(Double(within) > 0.99 * Double(within + beyond))
    #expect(worst.off < 0.2e6)
    #expect(worst.bound < 30e6)
  }

  @Test(
    "detects a step of either clock at the third packet, once, and keeps the rate",
    arguments: SimulatedNetwork.all, [-3600e9, -50e6, 1e9])
  func step(network: SimulatedNetwork, by nanoseconds: Double) {
    for seed in 1...3 as ClosedRange<UInt64> {
      var talk = SimulatedTalk(network, seed: seed)
      talk.step = (at: 30, by: nanoseconds)
      var comparison = ClockComparison()
      var late: [Double] = []
      var rates = 0.0
      talk.run(seconds: 50, into: &comparison) { elapsed, estimate, truth in
        guard elapsed > 35 else { return }
        late.append(abs(Double(estimate.offset) - truth))
        rates = max(rates, abs(estimate.rate - talk.rate))
      }
      #expect(rates < 20e-6)
      #expect(comparison.steps == 1)
      #expect(p95(late) < 1e6)
    }
  }

  @Test("stays within 1 ms if three in ten packets are lost at random", arguments: SimulatedNetwork.bad)
  func heavyLoss(network: SimulatedNetwork) {
    var network = network
    (network.loss, network.burst) = (0.3, 1)
    var comparison = ClockComparison()
    var late: [Double] = []
    SimulatedTalk(network, seed: 5).run(seconds: 60, into: &comparison) { elapsed, estimate, truth in
      if elapsed > 10 { late.append(abs(Double(estimate.offset) - truth)) }
    }
    #expect(p95(late) < 1e6)
    let loss = comparison.estimate(at: HostTime(seconds: 60))?.loss ?? 0
    // Both directions may fail: 1 − 0.7².
    #expect(abs(loss - 0.51) < 0.25)
  }

  @Test(
    "after five minutes without packets, the offset is back within 2 s, and the rate was kept",
    arguments: SimulatedNetwork.all)
  func longSilence(network: SimulatedNetwork) {
    var talk = SimulatedTalk(network, seed: 8)
    talk.silence = 60..<360
    var comparison = ClockComparison()
    var worst = (offset: 0.0, rate: 0.0)
    talk.run(seconds: 380, into: &comparison) { elapsed, estimate, truth in
      guard elapsed > 60 else { return }
      worst.rate = max(worst.rate, abs(estimate.rate - talk.rate))
      guard elapsed > 362 else { return }
      worst.offset = max(worst.offset, abs(Double(estimate.offset) - truth))
    }
    #expect(worst.offset < 2e6)
    #expect(worst.rate < 15e-6)
    #expect(comparison.steps == 0)
  }

  @Test("learns another machine's clock in its place, 150 ppm away, within 20 s")
  func replaced() {
    var comparison = ClockComparison()
    var talk = SimulatedTalk(.good[0], seed: 3)
    talk.rate = 50e-6
    talk.run(seconds: 60, into: &comparison)
    talk = SimulatedTalk(.good[0], seed: 4)
    (talk.rate, talk.offset, talk.start) = (-100e-6, 7e15, 61)
    var worst = (offset: 0.0, rate: 0.0)
    talk.run(seconds: 120, into: &comparison) { elapsed, estimate, truth in
      guard elapsed > 81 else { return }
      worst.offset = max(worst.offset, abs(Double(estimate.offset) - truth))
      worst.rate = max(worst.rate, abs(estimate.rate - talk.rate))
    }
    #expect(worst.offset < 0.5e6)
    #expect(worst.rate < 10e-6)
  }
}
