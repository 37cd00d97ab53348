import Glibc
import MoCore

/// An egg shaker: a small shell with seeds that strike it at random.
///
/// The model computes the statistics of the seeds, not each seed. Shaking adds energy, and the energy decays by
/// itself. At random moments, on average 1,200 times per second, a seed strikes the shell. The sound level then rises
/// by the seed's weight times the root of the energy (the seed's speed), and decays within a millisecond. Noise at that
/// level excites the resonances of the shell and the seeds. The seed of each collision is random: a light seed sounds
/// bright, a heavy seed dull. Collisions are few enough to be audible as grains; many more of them would be plain
/// noise. If a shaker at rest is shaken, the first collision follows immediately.
///
/// The output is within ±0.39, about −20 dB RMS at full energy: softer than a drum, but audible next to a drum. The sum
/// of a shaker and a `Drum` stays below full scale. Silence is exactly 0.
///
/// - Source: P. R. Cook, *Physically Informed Sonic Modeling (PhISM): Synthesis of Percussive Sounds*,
///   CMJ 21(3) (1997): the PhISEM model, and the shell's resonance.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `tick`, yes.
@frozen
public struct Shaker: Voice, Sendable {
  @usableFromInline var noise: Noise
  @usableFromInline var shell = ShakerShell()
  @usableFromInline var energyRise: Float = 0
  @usableFromInline var energyDecay: Float = 0
  @usableFromInline package var soundDecay: Float = 0
  @usableFromInline var collisionChance: Float = 0
  @usableFromInline var collisionGain: Float = 0
  @usableFromInline var energy: Float = 0
  /// The levels at which noise excites the shell (first element) and the seeds (second element).
  @usableFromInline package var level = SIMD2<Float>.zero

  /// Creates a shaker at rest.
  ///
  /// - Parameters:
  ///   - sampleRate: frames per second; `MoAudio.start` sets the device's rate.
  ///   - seed: the seed of the shaker's random numbers; by default the next seed of `SeedSource`.
  public init(sampleRate: Double = 48_000, seed: UInt64? = nil) {
    noise = Noise(seed: seed)
    prepare(sampleRate: sampleRate)
  }

  /// Adapts the shaker to a sample rate and resets it.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    // At a higher sample rate, white noise has less power in a band.
    let density = (sampleRate / 48_000).squareRoot()
    shell.tune(0, frequency: 3200, bandwidth: 286, gain: 1.02 * density, sampleRate: sampleRate)
    shell.tune(1, frequency: 9000, bandwidth: 12_000, gain: 0.167 * density, sampleRate: sampleRate)

    energyRise = Float(1 - exp(-1 / (Self.riseSeconds * sampleRate)))
    energyDecay = Float(exp(-1 / (Self.energySeconds * sampleRate)))
    soundDecay = Float(exp(-1 / (Self.soundSeconds * sampleRate)))
    let chance = min(1, Self.collisionsPerSecond / sampleRate)
    collisionChance = Float(chance)
    // Makes the mean square of the level equal to the energy, at any rate: the squared mean plus the variance.
    let fade = exp(-1 / (Self.soundSeconds * sampleRate))
    let mean = chance / (1 - fade)
    let variance = (chance * Self.meanSquareWeight - chance * chance) / (1 - fade * fade)
    collisionGain = Float(1 / (mean * mean + variance).squareRoot())
    rest()
  }

  /// Seconds in which the energy covers 63 % of the way to the strength of the shaking.
  static let riseSeconds = 0.02
  /// Seconds in which the energy falls to 37 %; the sound's amplitude takes twice as long to fall to 37 %.
  static let energySeconds = 0.08
  /// Seconds in which one collision's sound falls to 37 %.
  static let soundSeconds = 0.0006
  /// The average number of collisions per second: thirty seeds, each of which strikes the shell 40 times per second.
  static let collisionsPerSecond = 1200.0
  /// The mean square of the seeds' weights, which are uniformly distributed in 0.4 … 1.6.
  static let meanSquareWeight = 1 + 1.2 * 1.2 / 12

  /// Returns the next sample.
  ///
  /// - Parameter energy: the strength of the shaking, 0 (none) … 1; larger values count as 1, NaN as 0.
  @inlinable
  public mutating func tick(_ energy: Float) -> Float {
    let wasAtRest = self.energy == 0
    if energy > self.energy {
      self.energy += (min(energy, 1) - self.energy) * energyRise
    } else {
      self.energy *= energyDecay
      if self.energy < 1e-8 { return fadeOut() }
    }
    let bits = noise.bits()
    level *= soundDecay
    let chance = Noise.chance(of: bits)
    if chance < collisionChance || wasAtRest { collide(min(1, chance / collisionChance)) }
    return sound(Noise.sample(of: bits) * level)
  }

  /// Adds the collision of a seed; `seed` is 0 for the lightest and brightest seed, 1 for the heaviest and dullest.
  @inlinable
  mutating func collide(_ seed: Float) {
    let blow = collisionGain * energy.squareRoot() * (0.4 + 1.2 * seed)
    level += blow * SIMD2(0.7 + 0.5 * seed, 1.3 - 0.5 * seed)
  }

  /// Returns the next sample of the resonances, which decay without new energy; 0 once they are silent.
  @inlinable
  mutating func fadeOut() -> Float {
    guard !shell.isSilent else {
      rest()
      return 0
    }
    (energy, level) = (0, .zero)
    shell.clearIfSilent()
    return sound(.zero)
  }

  @inlinable
  mutating func sound(_ excitation: SIMD2<Float>) -> Float {
    softClip(shell.tick(excitation), limit: 0.39)
  }

  @inlinable
  mutating func rest() {
    (energy, level) = (0, .zero)
    shell.clear()
  }
}

/// The two resonances of a shaker, its shell and its seeds, computed in parallel.
///
/// - Source: K. Steiglitz, *A note on constant-gain digital resonators*, CMJ 18(4) (1994).
@frozen
@usableFromInline
struct ShakerShell: Sendable {
  @usableFromInline var b0 = SIMD2<Double>.zero
  @usableFromInline var a1 = SIMD2<Double>.zero
  @usableFromInline var a2 = SIMD2<Double>.zero
  @usableFromInline var gain = SIMD2<Double>.zero
  @usableFromInline var x1 = SIMD2<Double>.zero
  @usableFromInline var x2 = SIMD2<Double>.zero
  @usableFromInline var y1 = SIMD2<Double>.zero
  @usableFromInline var y2 = SIMD2<Double>.zero

  @usableFromInline
  init() {}

  /// Computes a resonance from its frequency and bandwidth, both in Hz; `index` is 0 for the shell, 1 for the seeds.
  mutating func tune(_ index: Int, frequency: Double, bandwidth: Double, gain: Double, sampleRate: Double) {
    let radius = FilterLimits.radius(exp(-.pi * bandwidth / sampleRate))
    let turn = FilterLimits.turn(min(frequency, 0.45 * sampleRate), sampleRate)
    a1[index] = -2 * radius * cos(2 * .pi * turn)
    a2[index] = radius * radius
    b0[index] = (1 - a2[index]) / 2
    self.gain[index] = gain
  }

  /// Whether both resonances are at rest.
  @inlinable
  var isSilent: Bool { y1 == .zero && y2 == .zero && x1 == .zero && x2 == .zero }

  /// Returns the next sample of the sum of both resonances; `input` has the excitation of the shell, then of the seeds.
  @inlinable @inline(__always)
  mutating func tick(_ input: SIMD2<Float>) -> Float {
    let x0 = SIMD2<Double>(input)
    let y0 = b0 * (x0 - x2) - a2 * y2 - a1 * y1
    (x2, x1) = (x1, x0)
    (y2, y1) = (y1, y0)
    return Float((gain * y0).sum())
  }

  /// Clears both resonances if they are below −300 dB; called only while the input is 0.
  @inlinable
  mutating func clearIfSilent() {
    let size = y1 * y1 + y2 * y2
    if size.sum() < 1e-30 { clear() }
  }

  @inlinable
  mutating func clear() { (x1, x2, y1, y2) = (.zero, .zero, .zero, .zero) }
}
