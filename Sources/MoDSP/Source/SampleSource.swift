/// Whatever gives one sample after another: an oscillator, a noise, an envelope.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `tick` and `fill`, yes.
public protocol SampleSource: Sendable {
  /// The next sample.
  mutating func tick() -> Float
}

extension SampleSource {
  /// Fills a block with the next samples; the same as `tick` for each of them.
  @inlinable
  public mutating func fill(_ samples: inout MutableSpan<Float>) {
    for index in samples.indices { samples[unchecked: index] = tick() }
  }
}

extension Noise: SampleSource {}

/// A tone whose frequency may be changed at every sample, without a click.
public protocol Oscillator: SampleSource, Voice {
  /// In Hz, kept within 0 … half the sample rate when it sounds; no number counts as 0.
  var frequency: Double { get set }

  /// Where in its cycle it is, 0 ..< 1; set it only between two sounds, for it jumps.
  var phase: Double { get set }
}

/// How far an oscillator gets in a sample.
@frozen
@usableFromInline
struct PhaseStep: Sendable {
  @usableFromInline var seconds: Double

  @usableFromInline
  init(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    seconds = 1 / sampleRate
  }

  /// Of a cycle, 0 … 0.5.
  @inlinable
  func callAsFunction(_ frequency: Double) -> Double { max(0, min(frequency * seconds, 0.5)) }
}
