import Glibc
import MoDSP
import MoMu

/// A root, its fifth and a slightly detuned octave that beats against the root, through a low-pass filter.
struct Chord: Voice {
  private var root = Saw(frequency: 110)
  private var fifth = Saw(frequency: 165)
  private var octave = Saw(frequency: 220.4)
  private var filter = StateVariable(.lowPass, frequency: 800, q: 2, sampleRate: 48_000)
  private var sampleRate = 48_000.0

  mutating func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    root.prepare(sampleRate: sampleRate)
    fifth.prepare(sampleRate: sampleRate)
    octave.prepare(sampleRate: sampleRate)
    filter.clear()
  }

  /// Returns the next sample; the filter's cutoff is four octaves higher ahead (1) than behind (−1).
  mutating func tick(ahead: Float) -> Float {
    filter.set(frequency: 700 * exp2(2 * Double(ahead)), q: 2, sampleRate: sampleRate)
    return 0.12 * filter.tick(root.tick() + fifth.tick() + octave.tick())
  }
}
