import Glibc

/// An echo that feeds itself: a row of echoes, a resonance at a pitch and its harmonics, a plucked string.
///
/// y[n] = x[n] + feedback · lowPass(y[n − delay])
///
/// - Thread: one owner; the audio thread once playing. A copy gets memory of its own when it is first written to.
/// - Real-time safe: all but `init`, and the first write to a copy.
@frozen
public struct Comb: Sendable {
  /// From one echo to the next, in samples, kept within 2 … `longest`; no number counts as 2.
  public var delay: Double
  /// How much of an echo the next is, kept within ±0.99999; no number counts as the lowest.
  public var feedback: Float
  /// How much duller each echo is than the one before, 0 (no duller) … 0.99; no number counts as 0.
  public var damping: Float = 0
  @usableFromInline var line: DelayLine
  @usableFromInline var low: Float = 0

  /// An echo of silence; delays in samples.
  public init(delay: Double, feedback: Float, longest: Int) {
    (self.delay, self.feedback) = (delay, feedback)
    line = DelayLine(longest: longest)
  }

  /// Sets the feedback so that what sounds falls by 60 dB in so many seconds; at 0 or below, or no number, at once.
  public mutating func setDecay(seconds: Double, sampleRate: Double) {
    feedback = seconds > 0 ? Float(pow(10, -3 * delay / (seconds * sampleRate))) : 0
  }

  /// Filters one sample.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    // The write to come is a sample later than the taps are counted from.
    let echo = line.cubic(delay - 1)
    low = echo + max(0, min(damping, 0.99)) * (low - echo)
    if abs(low) < 1e-20 { low = 0 }
    let sound = abs(input) < .infinity ? input : 0
    let output = sound + max(-0.999_99, min(feedback, 0.999_99)) * low
    line.write(output)
    return output
  }

  /// Filters a block in place; the same as `tick` on each of its samples.
  @inlinable
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    for index in samples.indices { samples[unchecked: index] = tick(samples[unchecked: index]) }
  }

  /// Silence.
  @inlinable
  public mutating func clear() {
    line.clear()
    low = 0
  }
}
