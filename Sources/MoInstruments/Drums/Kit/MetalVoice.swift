import Glibc
import MoDSP

/// Cymbals: six square waves that share no harmonics, and noise, all but the top cut away.
///
/// One metal for closed and open hat, since they are one: closing silences what is open.
struct MetalVoice: Sendable {
  private var phases = SIMD8<Float>.zero
  private var steps = SIMD8<Float>.zero
  private let base: Double
  private let cut: Double
  private let fall: Double
  private let hiss: Float
  private var short = StruckLevel()
  private var long = StruckLevel()
  private var noise: Noise
  private var filter = StateVariable(.highPass, frequency: 7000, sampleRate: 48_000)
  private var sampleRate = 48_000.0

  /// - Parameters:
  ///   - base: the lowest square's frequency, in Hz.
  ///   - cut: what lies below is cut away, in Hz.
  ///   - fall: seconds in which the long sound falls to 37 %.
  ///   - hiss: how much of it is noise, 0 … 1.
  init(base: Double, cut: Double, fall: Double, hiss: Float, seed: UInt64?) {
    (self.base, self.cut, self.fall, self.hiss) = (base, cut, fall, hiss)
    noise = Noise(seed: seed)
  }

  mutating func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    // Ratios as far as can be from small whole numbers.
    steps =
      SIMD8(1, 1.342, 1.2312, 1.6532, 1.9523, 2.1523, 0, 0) * Float(min(base, sampleRate / 8) / sampleRate)
    short = StruckLevel(rise: 0.0002, fall: 0.022, sampleRate: sampleRate)
    long = StruckLevel(rise: 0.0003, fall: fall, sampleRate: sampleRate)
    filter = StateVariable(.highPass, frequency: min(cut, sampleRate * 0.4), q: 0.9, sampleRate: sampleRate)
  }

  var isSounding: Bool { short.isSounding || long.isSounding }

  mutating func strikeOpen(_ force: Float, gain: Float) { long.strike(force * gain) }

  mutating func strikeClosed(_ force: Float, gain: Float) {
    short.strike(force * gain)
    long.choke(within: 0.008, sampleRate: sampleRate)
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    phases += steps
    phases.replace(with: phases - 1, where: phases .>= 1)
    var squares = SIMD8<Float>(repeating: -1)
    squares.replace(with: 1, where: phases .< 0.5)
    // The two lanes that stand still are both 1.
    let metal = (squares.sum() - 2) / 6
    let sound = filter.tick(metal * (1 - hiss) + noise.tick() * hiss)
    return 0.8 * sound * (short.tick() + long.tick())
  }
}
