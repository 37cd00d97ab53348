import Glibc
import MoDSP

/// A rim click: two short resonances at 480 and 1,720 Hz, and the knock of the wooden stick.
struct RimVoice: Sendable {
  private var low = Sine(frequency: 480)
  private var high = Sine(frequency: 1720)
  private var level = StruckLevel()
  private var knock = StruckLevel()
  private var noise: Noise

  init(seed: UInt64?) { noise = Noise(seed: seed) }

  mutating func prepare(sampleRate: Double) {
    low.prepare(sampleRate: sampleRate)
    high.prepare(sampleRate: sampleRate)
    level = StruckLevel(rise: 0.0003, fall: 0.014, sampleRate: sampleRate)
    knock = StruckLevel(rise: 0.0002, fall: 0.002, sampleRate: sampleRate)
  }

  var isSounding: Bool { level.isSounding || knock.isSounding }

  mutating func strike(_ force: Float, gain: Float) {
    if !level.isSounding { (low.phase, high.phase) = (0, 0) }
    level.strike(force * gain)
    knock.strike(force * gain)
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    return (0.22 * low.tick() + 0.3 * high.tick()) * level.tick() + 0.2 * noise.tick() * knock.tick()
  }
}
