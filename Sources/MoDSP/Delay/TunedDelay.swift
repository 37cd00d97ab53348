/// A delay by any number of samples, fractions included, for feedback loops with an exact pitch.
///
/// An all-pass filter of first order adds the fraction of a sample to the delay, and keeps the level of every
/// frequency. If you change the delay while sound is in the delay line, a soft click is audible.
///
/// - Source: D. A. Jaffe, J. O. Smith, *Extensions of the Karplus-Strong plucked-string algorithm*, CMJ 7(2) (1983).
/// - Thread: one owner; the audio thread during play. A copy gets memory of its own when it is first written to.
/// - Real-time safe: all but `init`, and the first write to a copy.
@frozen
public struct TunedDelay: Sendable {
  @usableFromInline var line: DelayLine
  @usableFromInline var whole = 0
  @usableFromInline var coefficient: Float = 0
  @usableFromInline var x1: Float = 0
  @usableFromInline var y1: Float = 0
  @usableFromInline var length = 0.0

  /// Creates a delay line full of silence; `delay` and `longest`, the longest delay, are in samples.
  public init(delay: Double, longest: Int) {
    line = DelayLine(longest: longest)
    self.delay = delay
  }

  /// The delay at low frequencies, in samples, clamped to 0.5 … `longest`; NaN counts as 0.5.
  @inlinable
  public var delay: Double {
    get { length }
    set {
      length = max(0.5, min(newValue, Double(line.longest)))
      // The all-pass delays by 0.5 … 1.5 samples, the range in which it settles fastest.
      whole = Int(length - 0.5)
      let rest = length - Double(whole)
      coefficient = Float((1 - rest) / (1 + rest))
    }
  }

  /// Writes a sample, and returns the input that was written `delay` samples earlier.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    line.write(input)
    let x0 = line.at(whole)
    var y0 = coefficient * (x0 - y1) + x1
    if abs(y0) < 1e-20 { y0 = 0 }
    (x1, y1) = (x0, y0)
    return y0
  }

  /// Clears the past sound; the delay stays.
  @inlinable
  public mutating func clear() {
    line.clear()
    (x1, y1) = (0, 0)
  }
}
