import Glibc
import MoDSP

/// A cymbal: six inharmonic square waves and noise, through a high-pass filter.
///
/// A single voice plays the closed and the open hi-hat: as on a real hi-hat, a strike of the closed hi-hat silences the
/// open hi-hat.
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
  ///   - base: the frequency of the lowest square wave, in Hz.
  ///   - cut: the cutoff of the high-pass filter, in Hz.
  ///   - fall: seconds in which the sound of `strikeOpen` falls to 37 %.
  ///   - hiss: the proportion of noise, 0 … 1.
  init(base: Double, cut: Double, fall: Double, hiss: Float, seed: UInt64?) {
    (self.base, self.cut, self.fall, self.hiss) = (base, cut, fall, hiss)
    noise = Noise(seed: seed)
  }

  mutating func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    // Frequency ratios as far as possible from ratios of small whole numbers.
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
    // The two unused lanes have a phase of 0, so both are 1.
    let metal = (squares.sum() - 2) / 6
    let sound = filter.tick(metal * (1 - hiss) + noise.tick() * hiss)
    return 0.8 * sound * (short.tick() + long.tick())
  }
}

/// A cowbell: two square waves at 540 and 800 Hz through a band-pass, with a hard attack and a short ring.
struct CowbellVoice: Sendable {
  private var low = Square(frequency: 540)
  private var high = Square(frequency: 800)
  private var knock = StruckLevel()
  private var ring = StruckLevel()
  private var band = StateVariable(.bandPass, frequency: 1000, sampleRate: 48_000)

  mutating func prepare(sampleRate: Double) {
    low.prepare(sampleRate: sampleRate)
    high.prepare(sampleRate: sampleRate)
    knock = StruckLevel(rise: 0.0003, fall: 0.012, sampleRate: sampleRate)
    ring = StruckLevel(rise: 0.0005, fall: 0.085, sampleRate: sampleRate)
    band = StateVariable(.bandPass, frequency: min(1000, sampleRate / 5), q: 0.8, sampleRate: sampleRate)
  }

  var isSounding: Bool { knock.isSounding || ring.isSounding }

  mutating func strike(_ force: Float, gain: Float) {
    if !isSounding {
      // `Square` delays its output by 12 samples: skip them.
      for _ in 0..<12 { _ = low.tick() + high.tick() }
    }
    knock.strike(0.6 * force * gain)
    ring.strike(0.5 * force * gain)
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    return 0.15 * band.tick(low.tick() + high.tick()) * (knock.tick() + ring.tick())
  }
}
