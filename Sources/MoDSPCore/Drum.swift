import Glibc
import MoCore

/// A drum: the four lowest tones (modes) of a struck skin, and the slap of the stick.
///
/// A harder strike is louder and brighter: it has more of the high modes and a sharper slap. It also bends the pitch
/// further up at first, as it stretches the skin. The high modes decay first; the fundamental remains. A strike on a
/// sounding drum adds to its sound without a click.
///
/// The output is within ±0.6. Within 3 s of the last strike, the output is exactly 0 again.
///
/// - Source: mode ratios of the ideal circular membrane, N. H. Fletcher, T. D. Rossing, *The Physics of
///   Musical Instruments* (1998), ch. 3.
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: `strike` and `tick`, yes.
@frozen
public struct Drum: Voice, Sendable {
  /// The frequency of the lowest tone (fundamental) in Hz, after the skin has settled; 20 … 2000, NaN counts as 20.
  ///
  /// You may change it between any two samples, also while the drum sounds. No mode is higher than 0.3 of the sample
  /// rate.
  public var frequency: Float {
    didSet {
      frequency = Drum.clamped(frequency)
      tune()
    }
  }

  @usableFromInline var noise: Noise
  /// The phase of each mode, in cycles, 0 … 1.
  @usableFromInline var phase = SIMD4<Float>.zero
  /// The frequency of each mode without the bend by a strike, in cycles per sample.
  @usableFromInline var step = SIMD4<Float>.zero
  /// The level of each mode, 0 … 1.
  @usableFromInline var level = SIMD4<Float>.zero
  /// The amount by which the level of each mode must still rise because of recent strikes.
  @usableFromInline var coming = SIMD4<Float>.zero
  /// The factor by which the level of each mode decays per sample.
  @usableFromInline var decay = SIMD4<Float>.zero
  @usableFromInline var slap: Float = 0
  @usableFromInline var slapComing: Float = 0
  @usableFromInline var slapDecay: Float = 0
  @usableFromInline var slapTone: Float = 0
  @usableFromInline var slapLow: Float = 0
  @usableFromInline var bend: Float = 0
  @usableFromInline var bendDecay: Float = 0
  @usableFromInline var attack: Float = 0
  @usableFromInline var isSounding = false
  private var sampleRate: Double

  /// Creates a drum at rest.
  ///
  /// - Parameters:
  ///   - frequency: the fundamental of the drum in Hz, 20 … 2000.
  ///   - sampleRate: frames per second; `MoAudio.start` sets the device's rate.
  ///   - seed: the seed of the slap's noise; by default the next seed of `SeedSource`.
  public init(frequency: Float = 110, sampleRate: Double = 48_000, seed: UInt64? = nil) {
    self.frequency = Drum.clamped(frequency)
    self.sampleRate = sampleRate
    noise = Noise(seed: seed)
    prepare(sampleRate: sampleRate)
  }

  /// Adapts the drum to a sample rate and resets it.
  public mutating func prepare(sampleRate: Double) {
    precondition(sampleRate > 0, "a sample rate must be above 0 Hz")
    func perSample(_ seconds: Double) -> Float { Float(exp(-1 / (seconds * sampleRate))) }
    self.sampleRate = sampleRate
    tune()
    decay = SIMD4(perSample(0.22), perSample(0.09), perSample(0.06), perSample(0.045))
    slapDecay = perSample(0.012)
    bendDecay = perSample(0.03)
    attack = 1 - perSample(0.0005)
    rest()
  }

  private static func clamped(_ frequency: Float) -> Float { min(2000, max(20, frequency)) }

  private mutating func tune() {
    // With the bend, a mode then stays below half the sample rate.
    step = (SIMD4(1, 1.593, 2.136, 2.296) * Float(Double(frequency) / sampleRate))
      .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 0.3))
  }

  /// Strikes the drum now.
  ///
  /// - Parameter force: 0 (not at all) … 1; larger values count as 1, NaN as 0.
  @inlinable
  public mutating func strike(_ force: Float) {
    guard force > 0 else { return }
    let force = min(force, 1)
    let hardness = force * force
    coming += SIMD4(0.62, 0.3, 0.24, 0.2) * force * SIMD4(1, hardness, hardness, hardness)
    slapComing += 0.9 * (0.6 + 0.4 * force) * force
    slapTone = 0.45 + 0.45 * force
    bend = max(bend, 0.6 * force)
    isSounding = true
  }

  /// Strikes the drum now, with a force that is a `Double`.
  @inlinable @_disfavoredOverload
  public mutating func strike(_ force: Double) { strike(Float(force)) }

  /// Returns the next sample.
  @inlinable
  public mutating func tick() -> Float {
    guard isSounding else { return 0 }
    let arriving = coming * attack
    coming -= arriving
    // Many strikes at the same time stretch the skin no further.
    level = (level * decay + arriving).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 1))
    bend *= bendDecay
    phase += step * (1 + bend)
    phase.replace(with: phase - 1, where: phase .>= 1)
    let modes = (level * Drum.sine(phase)).sum()

    let slapArriving = slapComing * attack
    slapComing -= slapArriving
    slap = min(1, slap * slapDecay + slapArriving)
    slapLow += slapTone * (noise.tick() * slap - slapLow)

    if level.max() + coming.max() + slap + slapComing + abs(slapLow) < 2e-5 { rest() }
    return softClip(modes + slapLow, limit: 0.6)
  }

  /// Returns the sines of four phases, given in cycles (0 … 1); the error of each sine is about 0.001.
  ///
  /// A parabola approximates the sine, and a term with the square of the parabola reduces the error.
  @inlinable
  static func sine(_ turns: SIMD4<Float>) -> SIMD4<Float> {
    let half = 0.5 - turns
    var magnitude = half
    magnitude.replace(with: -half, where: half .< 0)
    let parabola = half * (8 - 16 * magnitude)
    var size = parabola
    size.replace(with: -parabola, where: parabola .< 0)
    return parabola * (0.775 + 0.225 * size)
  }

  /// Resets the drum to exact silence, so that the next strike always sounds the same.
  @inlinable
  mutating func rest() {
    (phase, level, coming) = (.zero, .zero, .zero)
    (slap, slapComing, slapLow, bend) = (0, 0, 0, 0)
    isSounding = false
  }
}
