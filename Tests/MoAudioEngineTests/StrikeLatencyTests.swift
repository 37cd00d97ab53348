import MoAudioEngine
import MoCore
import MoTesting
import Testing

/// The time from a stroke to its sound, for blocks of 256 frames at 48 kHz: 5.333 ms each.
@Suite("The time from a stroke to its sound")
struct PlayThroughTests {
  private static let block: Int64 = 5_333_333

  /// Processes bursts of blocks; `late` gives the nanoseconds by which each is rendered late.
  private func follow(
    _ playThrough: inout StrikeLatency, latency: Int64, burst: Int64 = 1, from start: Int64 = 0,
    bursts: Int64,
    late: (Int64) -> Int64 = { _ in 0 }
  ) {
    for round in 0..<bursts {
      let asked = start + round * burst * Self.block
      for index in 0..<burst {
        playThrough.follow(
          heard: HostTime(nanoseconds: asked + latency + index * Self.block),
          now: HostTime(nanoseconds: asked + late(round)), frames: 256, frameNanoseconds: 1e9 / 48_000)
      }
    }
  }

  @Test("is the latency plus a block, from the first block on", arguments: [0, 16, 50, 250] as [Int64])
  func blocks(milliseconds: Int64) {
    var playThrough = StrikeLatency()
    for bursts in [1, 100] as [Int64] {
      follow(&playThrough, latency: milliseconds * 1_000_000, bursts: bursts)
      #expect(abs(playThrough.delay.nanoseconds - milliseconds * 1_000_000 - Self.block) < 10)
    }
  }

  @Test("is the latency plus four blocks if a server requests four in one burst")
  func bursts() {
    var playThrough = StrikeLatency()
    follow(&playThrough, latency: 43_000_000, burst: 4, bursts: 20)
    #expect(abs(playThrough.delay.nanoseconds - 43_000_000 - 4 * Self.block) < 10)
  }

  @Test("does not change for a thread that is late once in a while")
  func stalls() {
    var playThrough = StrikeLatency()
    follow(&playThrough, latency: 16_000_000, bursts: 100)
    let before = playThrough.delay
    // A late block needs less; the next one, on time again, needs no more than usual.
    follow(&playThrough, latency: 16_000_000, from: 100 * Self.block, bursts: 2000) {
      $0 % 50 == 7 ? 4_000_000 : 0
    }
    #expect(playThrough.delay == before)
    // A stop of 0.4 s.
    playThrough.follow(
      heard: HostTime(nanoseconds: 2100 * Self.block + 416_000_000),
      now: HostTime(nanoseconds: 2100 * Self.block + 400_000_000), frames: 256, frameNanoseconds: 1e9 / 48_000
    )
    follow(&playThrough, latency: 16_000_000, from: 2101 * Self.block + 400_000_000, bursts: 200)
    #expect(playThrough.delay == before)
  }

  @Test("follows a slower output within a few blocks, and a faster one after ten seconds")
  func changes() {
    var playThrough = StrikeLatency()
    follow(&playThrough, latency: 16_000_000, bursts: 100)
    follow(&playThrough, latency: 250_000_000, from: 100 * Self.block, bursts: 5)
    #expect(abs(playThrough.delay.nanoseconds - 250_000_000 - Self.block) < 10)
    follow(&playThrough, latency: 16_000_000, from: 105 * Self.block, bursts: 10_000 / 5)
    #expect(abs(playThrough.delay.nanoseconds - 16_000_000 - Self.block) < 10)
  }
}
