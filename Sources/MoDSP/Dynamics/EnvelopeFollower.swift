import Glibc

/// An envelope follower: it measures the level of a sound by its peaks, or by its root mean square.
///
/// The level of a steady sine of amplitude 1 depends on `attack` and `release`:
/// - `.peak` with an attack of 0 and a release of many periods: 1.
/// - `.rms` with equal attack and release of many periods: 0.707.
/// - With the default times: about 0.97 for both kinds, because the level rises faster than it falls.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `tick` and `process`, yes.
@frozen
public struct EnvelopeFollower: Voice, Sendable {
  /// The way to measure the level: by the peaks, or by the root mean square.
  @frozen
  public enum Kind: Sendable {
    /// The level follows the magnitude of the samples.
    case peak
    /// The attack and the release smooth the squares of the samples; the level is the square root of the result.
    case rms
  }

  /// The measure of the level: the peaks, or the root mean square of the sound.
  public let kind: Kind
  /// Seconds in which the level covers 63 % of a rise; with 0 or below, or NaN, the level rises immediately.
  ///
  /// For `.rms`, the square of the level covers 63 %.
  public let attack: Double
  /// Seconds in which the level covers 63 % of a fall; with 0 or below, or NaN, the level falls immediately.
  ///
  /// For `.rms`, the square of the level covers 63 %.
  public let release: Double
  @usableFromInline var rise = 0.0
  @usableFromInline var fall = 0.0
  @usableFromInline var state = 0.0

  /// Creates a follower with a level of 0; times are in seconds.
  public init(
    _ kind: Kind = .peak, attack: Double = 0.001, release: Double = 0.1, sampleRate: Double = 48_000
  ) {
    (self.kind, self.attack, self.release) = (kind, attack, release)
    prepare(sampleRate: sampleRate)
  }

  /// Adapts the follower to a sample rate, and resets the level to 0.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    func perSample(_ seconds: Double) -> Double { seconds > 0 ? -expm1(-1 / (seconds * sampleRate)) : 1 }
    (rise, fall) = (perSample(attack), perSample(release))
    clear()
  }

  /// Processes one sample, and returns the level after this sample; NaN and infinity count as 0.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    let magnitude = abs(input) < .infinity ? Double(abs(input)) : 0
    let heard = kind == .rms ? magnitude * magnitude : magnitude
    state += (heard - state) * (heard > state ? rise : fall)
    if state < 1e-30 { state = 0 }
    return level
  }

  /// Processes a block, and returns the level after its last sample.
  @inlinable
  public mutating func process(_ samples: Span<Float>) -> Float {
    for index in samples.indices { _ = tick(samples[unchecked: index]) }
    return level
  }

  /// The level after the last processed sample; at least 0.
  @inlinable
  public var level: Float { Float(kind == .rms ? state.squareRoot() : state) }

  /// Resets the level to 0.
  @inlinable
  public mutating func clear() { state = 0 }
}
