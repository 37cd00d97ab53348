import CMoSystem
import MoCore

/// What a simulated card counts its frames by, beside the host's clock and independent of it, as a real card's is.
///
/// It looks at the card the way a driver does: the position moves in steps of a millisecond (USB's frames), and
/// the stamp is that of the moment it was read, so it says where the sound is up to a step too late.
package struct SimulatedOscillator {
  /// True time, of which the crystal makes `framesPerSecond` frames a second.
  let time: any TimeSource
  /// Frames a second of true time.
  let framesPerSecond: Double
  /// Frames by which the reported position moves.
  let step: Int64

  /// A crystal that runs `ppm` parts in a million fast; slow where negative.
  package init(ppm: Int, sampleRate: Double, time: any TimeSource = KernelClock()) {
    self.time = time
    framesPerSecond = sampleRate * Double(1_000_000 + ppm) / 1_000_000
    step = max(1, Int64(sampleRate / 1000))
  }
}

/// CLOCK_MONOTONIC_RAW asked of the kernel itself: where a program runs under a clock that is bent by a preloaded
/// library, its simulated card does not bend with it.
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
