import Glibc
import MoDSP

/// An electric bass: a sawtooth whose brightness decays faster than its level.
struct BassVoice: Sendable {
  private var saw = Saw(frequency: 55)
  private var sub = Sine(frequency: 55)
  private var level = StruckLevel()
  private var bright = StruckLevel()
  private var filter = StateVariable(.lowPass, frequency: 400, q: 0.9, sampleRate: 48_000)
  private var frequency = 55.0
  private var count = 0
  private var sampleRate = 48_000.0

  mutating func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    saw.prepare(sampleRate: sampleRate)
    sub.prepare(sampleRate: sampleRate)
    level = StruckLevel(rise: 0.002, fall: 0.28, sampleRate: sampleRate)
    bright = StruckLevel(rise: 0.001, fall: 0.09, sampleRate: sampleRate)
    filter.clear()
    count = 0
  }

  var isSounding: Bool { level.isSounding }

  mutating func strike(_ note: Float, _ force: Float) {
    frequency = MoFun.midiToHz(Double(note))
    (saw.frequency, sub.frequency) = (frequency, frequency)
    level.strike(force)
    bright.strike(force * force)
  }

  mutating func damp() { level.choke(within: 0.02, sampleRate: sampleRate) }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    let brightness = bright.tick()
    if count == 0 {
      filter.set(
        frequency: min(frequency * (2 + 14 * Double(brightness)), sampleRate * 0.4), q: 0.9,
        sampleRate: sampleRate)
    }
    count = (count + 1) & 15
    return (0.2 * filter.tick(saw.tick()) + 0.2 * sub.tick()) * level.tick()
  }
}
