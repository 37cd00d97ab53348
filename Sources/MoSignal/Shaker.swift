import Glibc
import MoTime

/// An egg shaker: a thousand seeds that fly about in a small shell and strike it at random.
///
/// Not the seeds but their statistics are computed. Shaking gives the system energy, which decays by itself.
/// At random moments, as often as there are seeds for it, one strikes the shell: the sound level rises by the
/// root of the energy (a seed's speed), and falls off within milliseconds. Noise at that level makes the
/// shell and the seeds resonate. The seeds are many on purpose: single strikes would sound, to an ear or to
/// an onset detector, like drum strokes of their own.
///
/// Within ±0.35, about −39 dB RMS at full energy: soft, so that a drum over it stands out. Silence is exactly 0.
///
/// - Source: P. R. Cook, *Physically Informed Sonic Modeling (PhISM): Synthesis of Percussive Sounds*,
///   CMJ 21(3) (1997): the PhISEM model, and the shell's resonance.
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: `tick`, yes.
@frozen
public struct Shaker: Voice, Sendable {
  @usableFromInline var noise: Noise
  @usableFromInline var shell = ShakerShell()
  @usableFromInline var energyRise: Float = 0
  @usableFromInline var energyDecay: Float = 0
  @usableFromInline var soundDecay: Float = 0
  @usableFromInline var collisionChance: Float = 0
  @usableFromInline var collisionGain: Float = 0
  @usableFromInline var energy: Float = 0
  @usableFromInline var level: Float = 0

  /// A shaker at rest.
  ///
  /// - Parameters:
  ///   - sampleRate: frames a second; `MoAudio.start` sets the device's own.
  ///   - seed: of its randomness; by default the next of `SeedSource`.
  public init(sampleRate: Double = 48_000, seed: UInt64? = nil) {
    noise = Noise(seed: seed)
    prepare(sampleRate: sampleRate)
  }

  /// Fits the shaker to a sample rate, at rest.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate is above 0 Hz")
    // White noise has less in a band the higher the sample rate.
    let density = (sampleRate / 48_000).squareRoot()
    shell.tune(0, frequency: 3200, bandwidth: 286, gain: 0.11 * density, sampleRate: sampleRate)
    shell.tune(1, frequency: 9000, bandwidth: 12_000, gain: 0.018 * density, sampleRate: sampleRate)

    energyRise = Float(1 - exp(-1 / (Self.riseSeconds * sampleRate)))
    energyDecay = Float(exp(-1 / (Self.energySeconds * sampleRate)))
    soundDecay = Float(exp(-1 / (Self.soundSeconds * sampleRate)))
    let perSample = Self.collisionsPerSecond / sampleRate
    collisionChance = Float(min(1, perSample))
    // Collisions overlap; this makes the mean square of the level the energy, at any rate and density.
    let overlap = Self.collisionsPerSecond * Self.soundSeconds
    collisionGain = Float(max(1, perSample) / (overlap * overlap + overlap / 2).squareRoot())
    rest()
  }

  /// Seconds in which the energy follows shaking by 63 %.
  static let riseSeconds = 0.02
  /// Seconds in which the energy of the shaken system falls to 37 %; the sound's amplitude takes twice that.
  static let energySeconds = 0.08
  /// Seconds in which one collision's sound falls to 37 %.
  static let soundSeconds = 0.002
  /// A thousand seeds that each strike 40 times a second.
  static let collisionsPerSecond = 40_000.0

  /// The next sample.
  ///
  /// - Parameter energy: how wildly it is shaken, 0 (not at all) … 1; beyond counts as 1, no number as 0.
  @inlinable
  public mutating func tick(_ energy: Float) -> Float {
    if energy > self.energy {
      self.energy += (min(energy, 1) - self.energy) * energyRise
    } else {
      self.energy *= energyDecay
      if self.energy < 1e-8 { return fadeOut() }
    }
    let bits = noise.bits()
    level *= soundDecay
    // No branch: nobody could foretell it.
    let blow = collisionGain * self.energy.squareRoot()
    level += Noise.chance(of: bits) < collisionChance ? blow : 0
    return sound(Noise.sample(of: bits) * level)
  }

  /// No energy is left: only the resonances still ring, and then nothing.
  @inlinable
  mutating func fadeOut() -> Float {
    guard !shell.isSilent else {
      rest()
      return 0
    }
    (energy, level) = (0, 0)
    shell.settle()
    return sound(0)
  }

  @inlinable
  mutating func sound(_ excitation: Float) -> Float {
    softClip(shell.tick(excitation), limit: 0.35)
  }

  @inlinable
  mutating func rest() {
    (energy, level) = (0, 0)
    shell.clear()
  }
}
