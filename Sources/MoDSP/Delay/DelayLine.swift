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

  /// Writes a sample, and returns the sound `delay` samples before this sample, by linear interpolation.
  ///
  /// `delay` is clamped to 0 … `longest`; NaN counts as 0.
  @inlinable
  public mutating func tick(_ input: Float, delay: Double) -> Float {
    write(input)
    return linear(delay)
  }

  /// Sets all stored samples to 0.
  @inlinable
  public mutating func clear() {
    for index in samples.indices { samples[index] = 0 }
  }

  @inlinable
  func at(_ ago: Int) -> Float { samples[(now &- ago) & (samples.count &- 1)] }
}
