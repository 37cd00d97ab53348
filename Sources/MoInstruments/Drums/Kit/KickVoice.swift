import Glibc
import MoDSP

/// A kick drum: a sine whose frequency falls to 48 Hz, and the knock of the beater.
///
/// At full force, the frequency starts at about 200 Hz. Its distance from 48 Hz falls to 37 % in 18 ms.
struct KickVoice: Sendable {
  private var phase: Float = 0
  private var bend: Float = 0
  private var body = StruckLevel()
  private var knock = StruckLevel()
  private var noise: Noise
  private var tone: OnePole
  private var bendFall: Float = 0
  private var perHertz: Float = 0

  init(seed: UInt64?) {
    noise = Noise(seed: seed)
    tone = OnePole()
  }

  mutating func prepare(sampleRate: Double) {
    body = StruckLevel(rise: 0.0007, fall: 0.13, sampleRate: sampleRate)
    knock = StruckLevel(rise: 0.0003, fall: 0.004, sampleRate: sampleRate)
    tone = OnePole(pole: exp(-2 * .pi * 2500 / sampleRate))
    bendFall = Float(exp(-1 / (0.018 * sampleRate)))
    perHertz = Float(1 / sampleRate)
    (phase, bend) = (0, 0)
  }

  var isSounding: Bool { body.isSounding || knock.isSounding }

  mutating func strike(_ force: Float, gain: Float) {
    if !body.isSounding { phase = 0 }
    body.strike(force * gain)
    knock.strike(force * force * gain)
    bend = max(bend, 60 + 90 * force)
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    bend *= bendFall
    phase += (48 + bend) * perHertz
    if phase >= 1 { phase -= 1 }
    let slap = tone.tick(noise.tick()) * knock.tick()
    return 0.72 * body.tick() * sinf(2 * .pi * phase) + 0.35 * slap
  }
}
