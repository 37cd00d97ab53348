import Glibc

/// How loud a sound is from moment to moment: its peaks, or its root mean square.
///
/// A steady sine of amplitude 1 reads 1 as `.peak` with a release of some periods, and 0.707 as `.rms`.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `tick` and `process`, yes.
@frozen
public struct EnvelopeFollower: Voice, Sendable {
  /// What is followed.
  @frozen
  public enum Kind: Sendable {
    /// The magnitude.
    case peak
    /// The square, whose root is given.
    case rms
  }

  /// What is followed.
  public let kind: Kind
  /// Seconds in which it follows a rise by 63 %; at 0 or below, at once.
  public let attack: Double
  /// Seconds in which it follows a fall by 63 %.
  public let release: Double
  @usableFromInline var rise = 0.0
  @usableFromInline var fall = 0.0
  @usableFromInline var state = 0.0

  /// A follower at rest; times in seconds.
  public init(
    _ kind: Kind = .peak, attack: Double = 0.001, release: Double = 0.1, sampleRate: Double = 48_000
  ) {
    (self.kind, self.attack, self.release) = (kind, attack, release)
    prepare(sampleRate: sampleRate)
  }

  /// Fits it to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    func perSample(_ seconds: Double) -> Double { seconds > 0 ? -expm1(-1 / (seconds * sampleRate)) : 1 }
    (rise, fall) = (perSample(attack), perSample(release))
    clear()
  }

  /// Follows one sample, and gives the level now; what is no finite number counts as 0.
  @inlinable
  public mutating func tick(_ input: Float) -> Float {
    let magnitude = abs(input) < .infinity ? Double(abs(input)) : 0
    let heard = kind == .rms ? magnitude * magnitude : magnitude
    state += (heard - state) * (heard > state ? rise : fall)
    if state < 1e-30 { state = 0 }
    return level
  }

  /// Follows a block: the level after it.
  @inlinable
  public mutating func process(_ samples: Span<Float>) -> Float {
    for index in samples.indices { _ = tick(samples[unchecked: index]) }
    return level
  }

  /// The level now.
  @inlinable
  public var level: Float { Float(kind == .rms ? state.squareRoot() : state) }

  /// Forgets the sound so far.
  @inlinable
  public mutating func clear() { state = 0 }
}
