/// A delay of any length that leaves every frequency as loud as it was: for loops that must hold their pitch.
///
/// Its fraction is an all-pass of first order; where the length is changed while sound is in it, a soft transient
/// is heard.
///
/// - Source: D. A. Jaffe, J. O. Smith, *Extensions of the Karplus-Strong plucked-string algorithm*, CMJ 7(2) (1983).
/// - Thread: one owner; the audio thread once playing. A copy gets memory of its own when it is first written to.
/// - Real-time safe: all but `init`, and the first write to a copy.
@frozen
public struct TunedDelay: Sendable {
  @usableFromInline var line: DelayLine
  @usableFromInline var whole = 0
  @usableFromInline var coefficient: Float = 0
  @usableFromInline var x1: Float = 0
  @usableFromInline var y1: Float = 0
  @usableFromInline var length = 0.0

  /// A line full of silence; delays in samples.
  public init(delay: Double, longest: Int) {
    line = DelayLine(longest: longest)
    self.delay = delay
  }

  /// The delay at low frequencies, in samples, kept within 0.5 … `longest`; no number counts as 0.5.
  @inlinable
  public var delay: Double {
    get { length }
    set {
      length = max(0.5, min(newValue, Double(line.longest)))
      // The all-pass delays by 0.5 … 1.5, where it is quickest to settle.
      whole = Int(length - 0.5)
      let rest = length - Double(whole)
      coefficient = Float((1 - rest) / (1 + rest))
    }
  }

  /// Puts in a sample, and gives what went in `delay` samples before it.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    line.write(input)
    let x0 = line.at(whole)
    var y0 = coefficient * (x0 - y1) + x1
    if abs(y0) < 1e-20 { y0 = 0 }
    (x1, y1) = (x0, y0)
    return y0
  }

  /// Silence.
  @inlinable
  public mutating func clear() {
    line.clear()
    (x1, y1) = (0, 0)
  }
}
