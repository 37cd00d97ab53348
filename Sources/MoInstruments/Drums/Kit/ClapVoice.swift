import Glibc
import MoDSP

/// Clapping hands: three bursts of noise 11 ms apart, then reverberation.
///
/// - Source: B. H. Repp, *The sound of two hands clapping*, JASA 81(4) (1987): the band around 1 kHz.
struct ClapVoice: Sendable {
  private var burst = StruckLevel()
  private var room = StruckLevel()
  private var noise: Noise
  private var band = StateVariable(.bandPass, frequency: 1150, sampleRate: 48_000)
  private var force: Float = 0
  private var left = 0
  private var wait = 0
  private var spacing = 500

  init(seed: UInt64?) { noise = Noise(seed: seed) }

  mutating func prepare(sampleRate: Double) {
    burst = StruckLevel(rise: 0.0004, fall: 0.0035, sampleRate: sampleRate)
    room = StruckLevel(rise: 0.002, fall: 0.07, sampleRate: sampleRate)
    band = StateVariable(.bandPass, frequency: min(1150, sampleRate / 5), q: 1.4, sampleRate: sampleRate)
    spacing = max(1, Int(0.011 * sampleRate))
    (left, wait) = (0, 0)
  }

  var isSounding: Bool { left > 0 || burst.isSounding || room.isSounding }

  mutating func strike(_ force: Float, gain: Float) {
    self.force = force * gain
    burst.strike(self.force)
    (left, wait) = (2, spacing)
  }

  mutating func tick() -> Float {
    guard isSounding else { return 0 }
    if left > 0 {
      wait -= 1
      if wait == 0 {
        left -= 1
        wait = spacing
        burst.strike(force)
        if left == 0 { room.strike(0.5 * force) }
      }
    }
    return 1.6 * band.tick(noise.tick()) * (burst.tick() + room.tick())
  }
}
