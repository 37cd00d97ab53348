import Glibc

/// An envelope with attack, decay, sustain and release, bent like a capacitor's charge.
///
/// ```swift
/// var envelope = ADSR(attack: 0.01, decay: 0.1, sustain: 0.6, release: 0.3)
/// envelope.on()                       // then, for every sample:
/// block[frame] = sine.tick() * envelope.tick()
/// ```
///
/// What is set counts from the next `on` or `off`. A note may start and end at any moment: the level goes on from
/// where it is.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `on`, `off` and `tick`, yes.
@frozen
public struct ADSR: SampleSource, Voice {
  /// Seconds from 0 to 1; below 0, or no number, counts as 0, here and below.
  public var attack: Double
  /// Seconds from 1 until a thousandth of the way to `sustain` is left.
  public var decay: Double
  /// The level of a note that is held, 0 … 1; beyond counts as the nearer end, no number as 0.
  ///
  /// At 0 the envelope is at rest once it has decayed to −100 dB.
  public var sustain: Double
  /// Seconds from 1 to exactly 0; from lower levels fewer.
  public var release: Double

  @usableFromInline var value = 0.0
  @usableFromInline var sampleRate: Double
  @usableFromInline var stage = Stage.rest
  /// Where the level goes, and what part of the way is still left after a sample.
  @usableFromInline var goal = 0.0
  @usableFromInline var left = 0.0

  @usableFromInline
  enum Stage: Sendable {
    case rest
    case attack
    case decay
    case release
  }

  /// An envelope at rest; times in seconds.
  public init(
    attack: Double = 0.01, decay: Double = 0.1, sustain: Double = 0.7, release: Double = 0.2,
    sampleRate: Double = 48_000
  ) {
    (self.attack, self.decay, self.sustain, self.release) = (attack, decay, sustain, release)
    self.sampleRate = sampleRate
    prepare(sampleRate: sampleRate)
  }

  /// Fits it to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    self.sampleRate = sampleRate
    rest()
  }

  /// The level now, 0 … 1.
  @inlinable
  public var level: Double { value }

  /// Whether it is not at rest.
  @inlinable
  public var isSounding: Bool { stage != .rest }

  /// Begins a note.
  public mutating func on() {
    stage = .attack
    // It heads for more than 1, to get there with speed.
    head(for: 1.3, leaving: 0.3 / 1.3, after: attack)
  }

  /// Ends the note.
  public mutating func off() {
    guard isSounding else { return }
    stage = .release
    head(for: -0.001, leaving: 0.001 / 1.001, after: release)
  }

  /// At rest at once: exactly 0.
  @inlinable
  public mutating func rest() {
    stage = .rest
    value = 0
  }

  /// The next level.
  @inlinable
  public mutating func tick() -> Float {
    guard stage != .rest else { return 0 }
    value = goal + (value - goal) * left
    switch stage {
    case .attack: if value >= 1 { peaked() }
    case .release: if value <= 0 { rest() }
    // Nothing is heard below −100 dB: at a sustain of 0 that is the end, and no denormal comes about.
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
