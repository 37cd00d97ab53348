import Glibc

/// An envelope with attack, decay, sustain and release.
///
/// In each stage, the level moves fast at first and then more slowly, as the voltage of a charging capacitor does.
///
/// ```swift
/// var envelope = ADSR(attack: 0.01, decay: 0.1, sustain: 0.6, release: 0.3)
/// envelope.on()                       // then, for every sample:
/// block[frame] = sine.tick() * envelope.tick()
/// ```
///
/// If you set `attack`, the new value applies from the next `on`. A new `release` applies from the next `off`,
/// and a new `decay` or `sustain` from the end of the next attack. A note may start and end at any moment: the
/// level continues from its present value.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `on`, `off` and `tick`, yes.
@frozen
public struct ADSR: SampleSource, Voice {
  /// The time in which the level rises from 0 to 1, in seconds; negative values and NaN count as 0.
  public var attack: Double
  /// The time in which the level covers 99.9 % of the way from 1 to `sustain`, in seconds.
  ///
  /// Negative values and NaN count as 0.
  public var decay: Double
  /// The level of a held note, clamped to 0 … 1; NaN counts as 0.
  ///
  /// If `sustain` is 0, the note ends when the level has decayed to −100 dB.
  public var sustain: Double
  /// The time in which the level falls from 1 to exactly 0, in seconds; from a lower level, the release is shorter.
  ///
  /// Negative values and NaN count as 0.
  public var release: Double

  @usableFromInline var value = 0.0
  @usableFromInline var sampleRate: Double
  @usableFromInline var stage = Stage.rest
  /// The level that the present stage approaches.
  @usableFromInline var goal = 0.0
  /// The factor by which the distance from the level to `goal` is multiplied in each sample.
  @usableFromInline var left = 0.0

  @usableFromInline
  enum Stage: Sendable {
    case rest
    case attack
    case decay
    case release
  }

  /// Creates an envelope at rest, with a level of 0; times are in seconds.
  public init(
    attack: Double = 0.01, decay: Double = 0.1, sustain: Double = 0.7, release: Double = 0.2,
    sampleRate: Double = 48_000
  ) {
    (self.attack, self.decay, self.sustain, self.release) = (attack, decay, sustain, release)
    self.sampleRate = sampleRate
    prepare(sampleRate: sampleRate)
  }

  /// Adapts the envelope to a sample rate, and resets it to rest, with a level of 0.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    self.sampleRate = sampleRate
    rest()
  }

  /// The present level, 0 … 1.
  @inlinable
  public var level: Double { value }

  /// Whether a note sounds, its release included.
  @inlinable
  public var isSounding: Bool { stage != .rest }

  /// Begins a note: the level rises from its present value.
  public mutating func on() {
    stage = .attack
    // The goal is above 1, so that the level reaches 1 with speed.
    head(for: 1.3, leaving: 0.3 / 1.3, after: attack)
  }

  /// Releases the note: the level falls from its present value to 0.
  public mutating func off() {
    guard isSounding else { return }
    stage = .release
    head(for: -0.001, leaving: 0.001 / 1.001, after: release)
  }

  /// Ends the note immediately: the level is then exactly 0.
  @inlinable
  public mutating func rest() {
    stage = .rest
    value = 0
  }

  /// Advances by one sample, and returns the level, 0 … 1.
  @inlinable
  public mutating func tick() -> Float {
    guard stage != .rest else { return 0 }
    value = goal + (value - goal) * left
    switch stage {
    case .attack: if value >= 1 { peaked() }
    case .release: if value <= 0 { rest() }
    // Below −100 dB nothing is audible: with a sustain of 0 the note ends there, before denormal numbers occur.
    case .decay: if goal == 0 && value < 1e-5 { rest() }
    case .rest: break
    }
    return Float(value)
  }

  @usableFromInline
  mutating func peaked() {
    value = 1
    stage = .decay
    head(for: max(0, min(sustain, 1)), leaving: 0.001, after: decay)
  }

  private mutating func head(for goal: Double, leaving part: Double, after seconds: Double) {
    self.goal = goal
    left = seconds > 0 ? exp(log(part) / (seconds * sampleRate)) : 0
  }
}
