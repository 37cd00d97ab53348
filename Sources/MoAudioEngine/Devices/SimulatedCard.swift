import CMoSystem
import MoCore

/// The behaviour of a simulated card, as set by a name such as `virtual?latency=43&burst=1024&ppm=100`.
package struct SimulatedCard: Equatable, Sendable {
  /// The deviation of the card's rate from its nominal rate, in parts per million; nil if the host's clock sets the
  /// pace.
  package var ppm: Int?
  /// Seconds from the callback to the ear; nil for the default.
  ///
  /// The default is two blocks, as on a card with a double buffer, but 0 offline.
  package var latency: Double?
  /// The number of frames that the card requests in one burst, as a sound server does; nil for one block.
  package var burst: Int?

  package init(ppm: Int? = nil, latency: Double? = nil, burst: Int? = nil) {
    (self.ppm, self.latency, self.burst) = (ppm, latency, burst)
  }

  /// Whether `latency` or `burst` is set.
  ///
  /// If true, the card requests blocks before they are heard, or several blocks in one burst.
  package var hasQueue: Bool { latency != nil || burst != nil }

  /// Returns the latency in frames, from the request of a burst until the first frame of the burst is heard; `unsaid`
  /// if `latency` is nil.
  package func latencyFrames(_ format: AudioFormat, unsaid: Int) -> Int {
    latency.map { Int(($0 * format.sampleRate).rounded()) } ?? unsaid
  }

  /// Returns the number of blocks that the card requests in one burst: `burst`, rounded up to whole blocks.
  package func burstBlocks(_ format: AudioFormat) -> Int {
    max(1, ((burst ?? 1) + format.blockFrames - 1) / format.blockFrames)
  }

  /// Returns the oscillator that sets the card's pace; nil for the host's clock.
  func crystal(_ format: AudioFormat) -> SimulatedOscillator? {
    ppm.map { SimulatedOscillator(ppm: $0, sampleRate: format.sampleRate) }
  }
}

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
