import CMoSystem
import MoCore

/// The frame clock of a simulated card, independent of the host's clock, like that of a real card.
///
/// It reports positions as a driver does: the position moves in steps of a millisecond (USB's frames). The timestamp
/// is the moment of reading, so a position may be up to a step late.
package struct SimulatedOscillator {
  /// The true time, from which the card's clock derives its frames.
  let time: any TimeSource
  /// Frames per second of true time.
  let framesPerSecond: Double
  /// The number of frames in each step of the reported position.
  let step: Int64

  /// Creates a clock that is `ppm` parts per million fast; slow if negative.
  package init(ppm: Int, sampleRate: Double, time: any TimeSource = KernelClock()) {
    self.time = time
    framesPerSecond = sampleRate * Double(1_000_000 + ppm) / 1_000_000
    step = max(1, Int64(sampleRate / 1000))
  }
}

/// CLOCK_MONOTONIC_RAW, read from the kernel itself.
///
/// A preloaded library can change the clock that the program reads, but not this clock of its simulated card.
struct KernelClock: TimeSource {
  var now: HostTime { HostTime(nanoseconds: momu_clock_true_ns()) }

  func sleep(until time: HostTime) {
    let clock = SystemClock()
    while true {
      let remaining = time.nanoseconds(since: now)
      guard remaining > 0 else { return }
      clock.sleep(until: clock.now.advanced(byNanoseconds: remaining))
    }
  }
}
