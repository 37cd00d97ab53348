import Glibc

/// A comb filter with feedback: repeated echoes, a pitched resonance, or a plucked string.
///
/// y[n] = x[n] + feedback · lowPass(y[n − delay])
///
/// - Thread: one owner; the audio thread during play. A copy gets memory of its own when it is first written to.
/// - Real-time safe: all but `init`, and the first write to a copy.
@frozen
public struct Comb: Sendable {
  /// The delay from one echo to the next, in samples; NaN counts as 2.
  ///
  /// It is clamped to 2 … `longest` + 1, with the `longest` of `init`.
  public var delay: Double
  /// The gain from one echo to the next, clamped to ±0.99999; NaN counts as the lowest value.
  public var feedback: Float
  /// The high-frequency loss of each echo, 0 (none) … 0.99; NaN counts as 0.
  public var damping: Float = 0
  @usableFromInline var line: DelayLine
  @usableFromInline var low: Float = 0

  /// Creates a silent comb filter; delays are in samples.
  public init(delay: Double, feedback: Float, longest: Int) {
    (self.delay, self.feedback) = (delay, feedback)
    line = DelayLine(longest: longest)
  }

  /// Sets the feedback so that the echoes fall by 60 dB in the given time.
  ///
  /// A time of 0 or below, or NaN, gives no feedback.
  public mutating func setDecay(seconds: Double, sampleRate: Double) {
    feedback = seconds > 0 ? Float(pow(10, -3 * delay / (seconds * sampleRate))) : 0
  }

  /// Filters one sample.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    // The next write comes one sample after the time from which the taps count.
    let echo = line.cubic(delay - 1)
    low = echo + max(0, min(damping, 0.99)) * (low - echo)
    if abs(low) < 1e-20 { low = 0 }
    let sound = abs(input) < .infinity ? input : 0
    let output = sound + max(-0.999_99, min(feedback, 0.999_99)) * low
    line.write(output)
    return output
  }

  /// Filters a block in place, with the same result as `tick` on each sample.
  @inlinable
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    for index in samples.indices { samples[unchecked: index] = tick(samples[unchecked: index]) }
  }

  /// Clears the sound to silence.
  @inlinable
  public mutating func clear() {
    line.clear()
    low = 0
  }
}
