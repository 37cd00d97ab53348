import CMoSystem
import MoCore

/// The frame clock of a simulated card, which, as in a real card, is independent of the host's clock.
///
/// A position is reported as a driver reports it: it moves in steps of a millisecond, the length of a USB frame. The
/// timestamp is the time of reading, so a position may be up to a step late.
package struct SimulatedOscillator {
  /// The source of true time, from which the card's frames are computed.
  let time: any TimeSource
  /// Frames per second of true time.
  let framesPerSecond: Double
  /// The number of sound frames by which the reported position advances at once.
  let step: Int64

  /// Creates a clock that is `ppm` parts per million fast; slow if negative.
  package init(ppm: Int, sampleRate: Double, time: any TimeSource = KernelClock()) {
    self.time = time
    framesPerSecond = sampleRate * Double(1_000_000 + ppm) / 1_000_000
    step = max(1, Int64(sampleRate / 1000))
  }
}

/// The kernel's clock CLOCK_MONOTONIC_RAW, read by a system call, not through the C library's clock function.
///
/// A preloaded library can change the clock that the program reads, but not this clock of a simulated card.
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
