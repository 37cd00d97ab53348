/// Remembers the last so many samples, and tells of any of them, also between two.
///
/// - Source: interpolation: T. I. Laakso et al., *Splitting the unit delay*, IEEE Signal Processing Magazine 13(1)
///   (1996).
/// - Thread: one owner; the audio thread once playing. A copy gets memory of its own when it is first written to.
/// - Real-time safe: all but `init`, and the first write to a copy.
@frozen
public struct DelayLine: Sendable {
  /// The longest delay, in samples.
  public let longest: Int
  @usableFromInline var samples: [Float]
  @usableFromInline var now = 0

  /// A line full of silence.
  ///
  /// - Parameter longest: the longest delay in samples, 1 … 2^28; beyond counts as the nearer end.
  public init(longest: Int) {
    self.longest = max(1, min(longest, 1 << 28))
    // Cubic interpolation reads two samples further.
    samples = Array(repeating: 0, count: 1 << (Int.bitWidth - (self.longest + 2).leadingZeroBitCount))
  }

  /// Puts in the next sample; what is no finite number counts as 0, and so does what is below −400 dB.
  @inlinable
  public mutating func write(_ sample: Float) {
    let isSounding = abs(sample) >= 1e-20 && abs(sample) < .infinity
    now = (now &+ 1) & (samples.count &- 1)
    samples[now] = isSounding ? sample : 0
  }

  /// The sample that was written so many writes ago, 0 for the last; kept within 0 … `longest`.
  @inlinable
  public subscript(ago: Int) -> Float { at(max(0, min(ago, longest))) }

  /// The sound so many samples ago, on a straight line between two; kept within 0 … `longest`, no number counts as 0.
  ///
  /// Dulls high frequencies by up to 3 dB at a quarter of the sample rate; cheap and good for slow echoes.
  @inlinable
  public func linear(_ ago: Double) -> Float {
    let ago = max(0, min(ago, Double(longest)))
    let whole = Int(ago)
    let near = at(whole)
    return near + Float(ago - Double(whole)) * (at(whole &+ 1) - near)
  }

  /// The sound so many samples ago, on a cubic through four; kept within 1 … `longest`, no number counts as 1.
  ///
  /// Lagrange's interpolation: flat to a quarter of the sample rate within 1 dB; for chorus, flanging and strings.
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

  /// Puts in a sample, and gives the sound so many samples before it, on a straight line.
  @inlinable
  public mutating func tick(_ input: Float, delay: Double) -> Float {
    write(input)
    return linear(delay)
  }

  /// Silence.
  @inlinable
  public mutating func clear() {
    for index in samples.indices { samples[index] = 0 }
  }

  @inlinable
  func at(_ ago: Int) -> Float { samples[(now &- ago) & (samples.count &- 1)] }
}
