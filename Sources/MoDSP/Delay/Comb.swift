import Glibc

/// A comb filter with feedback, for repeated echoes, a pitched resonance or a plucked string.
///
/// y[n] = x[n] + feedback · lowPass(y[n − delay])
///
/// `damping` sets the low-pass in the feedback.
///
/// - Thread: one owner; the audio thread during play. A copy gets memory of its own when it is first written to.
/// - Real-time safe: all but `init`, and the first write to a copy.
@frozen
public struct Comb: Sendable {
  /// The delay from one echo to the next, in samples; NaN counts as 2.
  ///
  /// The filter clamps the delay to 2 … `longest` + 1. Here, `longest` is the argument of `init`.
  public var delay: Double
  /// The gain from one echo to the next, clamped to ±0.99999; NaN counts as −0.99999.
  public var feedback: Float
  /// The pole of the low-pass in the feedback: 0 keeps all high frequencies, 0.99 attenuates them most.
  ///
  /// The filter clamps the value to 0 … 0.99; NaN counts as 0.
  public var damping: Float = 0
  @usableFromInline var line: DelayLine
  @usableFromInline var low: Float = 0

  /// Creates a comb filter without past sound.
  ///
  /// - Parameters:
  ///   - delay: the delay from one echo to the next, in samples.
  ///   - feedback: the gain from one echo to the next.
  ///   - longest: the number of past samples to store, clamped to 1 … 2^28; `delay` can be at most `longest` + 1.
  public init(delay: Double, feedback: Float, longest: Int) {
    (self.delay, self.feedback) = (delay, feedback)
    line = DelayLine(longest: longest)
  }

  /// Sets `feedback` so that the echoes fall by 60 dB in the given time, at the present `delay`.
  ///
  /// A time of 0 or below, or NaN, gives no feedback. Call the function again after a change of `delay`.
  public mutating func setDecay(seconds: Double, sampleRate: Double) {
    feedback = seconds > 0 ? Float(pow(10, -3 * delay / (seconds * sampleRate))) : 0
  }

  /// Sets `feedback` so that the echoes fall by 60 dB in the given time, which is a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func setDecay(seconds: Float, sampleRate: Double) {
    setDecay(seconds: Double(seconds), sampleRate: sampleRate)
  }

  /// Returns the output for one input sample; NaN and magnitudes of 10²⁰ or more count as 0.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    // The next write comes one sample after the time from which the taps count.
    let echo = line.cubic(delay - 1)
    low = echo + max(0, min(damping, 0.99)) * (low - echo)
    if abs(low) < 1e-20 { low = 0 }
    let sound = abs(input) < 1e20 ? input : 0
    let output = sound + max(-0.999_99, min(feedback, 0.999_99)) * low
    line.write(output)
    return output
  }

  /// Filters a block in place, with the same result as `tick` on each sample.
  @inlinable
  public mutating func process(_ samples: inout MutableSpan<Float>) {
    for index in samples.indices { samples[unchecked: index] = tick(samples[unchecked: index]) }
  }

  /// Clears the past sound; `delay`, `feedback` and `damping` stay.
  @inlinable
  public mutating func clear() {
    line.clear()
    low = 0
  }
}
