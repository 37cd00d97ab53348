import MoNetwork
import Testing

@Suite("Gathering of fast messages")
struct NetGatheringTests {
  /// Adds messages at a rate, `each` at a time, and returns the number of pauses after the last sample.
  private func pauses(
    _ coalescing: inout NetCoalescing, rate: Int64, each: Int = 1, turns: Int, from start: Int64 = 0
  )
    -> Int
  {
    (0..<turns).count {
      coalescing.pause(after: each, at: start + Int64($0 * each) * 1_000_000_000 / rate) > 0
    }
  }

  @Test(
    "gathers 5,000 messages a second, but never a thousand a second",
    arguments: [(Int64(5_000), true), (1_000, false), (2_000, false)])
  func rates(rate: Int64, isGathered: Bool) {
    var coalescing = NetCoalescing()
    // Time to measure the rate.
    _ = pauses(&coalescing, rate: rate, turns: 1_000)
    let start = 1_000 * 1_000_000_000 / rate
    #expect(pauses(&coalescing, rate: rate, turns: 1_000, from: start) == (isGathered ? 1_000 : 0))
  }

  @Test(
    "does not delay a chord after an hour's rest: sixty messages within a millisecond are not a stream")
  func chord() {
    var coalescing = NetCoalescing()
    _ = pauses(&coalescing, rate: 1_000, turns: 200)
    #expect(pauses(&coalescing, rate: 60_000, turns: 60, from: 3_600_000_000_000) == 0)
  }

  @Test("delays nothing after the stream is over")
  func over() {
    var coalescing = NetCoalescing()
    _ = pauses(&coalescing, rate: 5_000, turns: 1_000)
    _ = pauses(&coalescing, rate: 100, turns: 128, from: 1_000_000_000)
    #expect(pauses(&coalescing, rate: 100, turns: 100, from: 3_000_000_000) == 0)
  }

  @Test("does not gather a flood, since the kernel's buffer is limited")
  func flood() {
    var coalescing = NetCoalescing()
    _ = pauses(&coalescing, rate: 500_000, each: 32, turns: 100)
    #expect(pauses(&coalescing, rate: 500_000, each: 32, turns: 1_000, from: 1_000_000_000) == 0)
  }

  @Test("gathers nothing if nothing was read")
  func nothing() {
    var coalescing = NetCoalescing()
    _ = pauses(&coalescing, rate: 5_000, turns: 1_000)
    #expect(coalescing.pause(after: 0, at: 1_000_000_000) == 0)
  }
}
