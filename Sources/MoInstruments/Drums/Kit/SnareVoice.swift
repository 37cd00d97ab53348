import Glibc
import MoDSP

/// A snare drum: two modes of the heads, 186 and 331 Hz, and the rattle of the snare wires.
///
/// - Source: the modes: T. D. Rossing, I. Bork, H. Zhao, D. Fystrom, *Acoustics of snare drums*, JASA 92(1) (1992).
struct SnareVoice: Sendable {
  private var low = Sine(frequency: 186)
  private var high = Sine(frequency: 331)
  private var skin = StruckLevel()
  private var wires = StruckLevel()
  private var noise: Noise
  private var band = StateVariable(.highPass, frequency: 1400, sampleRate: 48_000)

  init(seed: UInt64?) { noise = Noise(seed: seed) }

  mutating func prepare(sampleRate: Double) {
    low.prepare(sampleRate: sampleRate)
    high.prepare(sampleRate: sampleRate)
    skin = StruckLevel(rise: 0.0005, fall: 0.045, sampleRate: sampleRate)
    wires = StruckLevel(rise: 0.0006, fall: 0.075, sampleRate: sampleRate)
    band = StateVariable(.highPass, frequency: min(1400, sampleRate / 5), sampleRate: sampleRate)
  }

  var isSounding: Bool { skin.isSounding || wires.isSounding }

  mutating func strike(_ force: Float, gain: Float) {
    if !skin.isSounding { (low.phase, high.phase) = (0, 0) }
    skin.strike(force * gain)
    wires.strike((0.35 + 0.65 * force) * force * gain)
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    let skins = (0.3 * low.tick() + 0.16 * high.tick()) * skin.tick()
    return skins + 0.34 * band.tick(noise.tick()) * wires.tick()
  }
}
