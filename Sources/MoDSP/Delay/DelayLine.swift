/// A buffer of past samples that you can read at any delay, fractions of a sample included.
///
/// - Source: interpolation: T. I. Laakso et al., *Splitting the unit delay*, IEEE Signal Processing Magazine 13(1)
///   (1996).
/// - Thread: one owner; the audio thread during play. A copy gets memory of its own when it is first written to.
/// - Real-time safe: all but `init`, and the first write to a copy.
@frozen
public struct DelayLine: Sendable {
  /// The longest delay, in samples.
  public let longest: Int
  @usableFromInline var samples: [Float]
  @usableFromInline var now = 0

  /// Creates a delay line full of silence.
  ///
  /// - Parameter longest: the longest delay in samples, 1 … 2^28; clamped.
  public init(longest: Int) {
    self.longest = max(1, min(longest, 1 << 28))
    // Cubic interpolation reads up to two samples further back.
    samples = Array(repeating: 0, count: 1 << (Int.bitWidth - (self.longest + 2).leadingZeroBitCount))
  }

  /// Writes the next sample; NaN, infinity and magnitudes below 1e-20 (−400 dB) become 0.
  @inlinable
  public mutating func write(_ sample: Float) {
    let isSounding = abs(sample) >= 1e-20 && abs(sample) < .infinity
    now = (now &+ 1) & (samples.count &- 1)
    samples[now] = isSounding ? sample : 0
  }

  /// The sample that was written `ago` samples before the newest sample; `ago` is clamped to 0 … `longest`.
  @inlinable
  public subscript(ago: Int) -> Float { at(max(0, min(ago, longest))) }

  /// Returns the sound `ago` samples before the newest sample, by linear interpolation between two samples.
  ///
  /// `ago` is clamped to 0 … `longest`; NaN counts as 0. Linear interpolation is cheap and good for slow echoes, but
  /// attenuates high frequencies, by up to 3 dB at a quarter of the sample rate.
  @inlinable
  public func linear(_ ago: Double) -> Float {
    let ago = max(0, min(ago, Double(longest)))
    let whole = Int(ago)
    let near = at(whole)
    return near + Float(ago - Double(whole)) * (at(whole &+ 1) - near)
  }

  /// Returns the sound `ago` samples before the newest sample, by linear interpolation; `ago` is a `Float`.
  @inlinable @_disfavoredOverload
  public func linear(_ ago: Float) -> Float { linear(Double(ago)) }

  /// Returns the sound `ago` samples before the newest sample, by cubic interpolation between four samples.
  ///
  /// `ago` is clamped to 1 … `longest`; NaN counts as 1. The frequency response of this interpolation (Lagrange's) is
  /// flat within 1.1 dB up to a quarter of the sample rate. Use it for chorus, flanging and strings.
  @inlinable
  public func cubic(_ ago: Double) -> Float {
    let ago = max(1, min(ago, Double(longest)))
    let whole = Int(ago)
    let x = Float(ago - Double(whole))
    let (after, near, far, before) = (at(whole &- 1), at(whole), at(whole &+ 1), at(whole &+ 2))
    let (down, up) = (x - 1, x + 1)
    let inner = near * (x - 2) * down * up - far * x * (x - 2) * up
    return inner / 2 + (before * x * down * up - after * x * down * (x - 2)) / 6
  }

  /// Returns the sound `ago` samples before the newest sample, by cubic interpolation; `ago` is a `Float`.
  @inlinable @_disfavoredOverload
  public func cubic(_ ago: Float) -> Float { cubic(Double(ago)) }

  /// Writes a sample, and returns the sound `delay` samples before this sample, by linear interpolation.
  ///
  /// `delay` is clamped to 0 … `longest`; NaN counts as 0.
  @inlinable
  public mutating func tick(_ input: Float, delay: Double) -> Float {
    write(input)
    return linear(delay)
  }

  /// Writes a sample, and returns the sound `delay` samples before this sample; `delay` is a `Float`.
  @inlinable @_disfavoredOverload
  public mutating func tick(_ input: Float, delay: Float) -> Float { tick(input, delay: Double(delay)) }

  /// Sets all stored samples to 0.
  @inlinable
  public mutating func clear() {
    for index in samples.indices { samples[index] = 0 }
  }

  @inlinable
  func at(_ ago: Int) -> Float { samples[(now &- ago) & (samples.count &- 1)] }
}

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
  ///
  /// NaN and magnitudes of 10²⁰ or more count as 0.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    line.write(abs(input) < 1e20 ? input : 0)
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
