/// A source that returns sample after sample, such as an oscillator, noise or an envelope.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `tick` and `fill`, yes.
public protocol SampleSource: Sendable {
  /// Returns the next sample.
  mutating func tick() -> Float
}

extension SampleSource {
  /// Fills a block with the next samples, as `tick` would return them.
  @inlinable
  public mutating func fill(_ samples: inout MutableSpan<Float>) {
    for index in samples.indices { samples[unchecked: index] = tick() }
  }
}

extension Noise: SampleSource {}

/// A generator of a tone whose frequency may change at every sample, without a click.
public protocol Oscillator: SampleSource, Voice {
  /// The frequency in Hz, clamped to 0 … half the sample rate during play; NaN counts as 0.
  var frequency: Double { get set }

  /// The position in the cycle, 0 ..< 1; set it only between two sounds, as a change makes the output jump.
  var phase: Double { get set }
}

extension Oscillator {
  /// The frequency in Hz as a `Float`, the type of parameters and readings.
  @inlinable @_disfavoredOverload
  public var frequency: Float {
    get { Float(frequency as Double) }
    set { frequency = Double(newValue) as Double }
  }
}

/// A converter from a frequency in Hz to the fraction of a cycle that passes in one sample.
@frozen
@usableFromInline
struct PhaseStep: Sendable {
  @usableFromInline var seconds: Double

  @usableFromInline
  init(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    seconds = 1 / sampleRate
  }

  /// Returns the fraction of a cycle that passes in one sample, clamped to 0 … 0.5, for a frequency in Hz.
  @inlinable
  func callAsFunction(_ frequency: Double) -> Double { max(0, min(frequency * seconds, 0.5)) }
}
