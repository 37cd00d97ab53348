import Glibc
import MoDSP

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
