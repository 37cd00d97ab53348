import Glibc
import MoDSP
import MoMu

/// A chord of three sawtooth tones, through a low-pass filter: a root, its fifth and its octave.
///
/// The octave is tuned 0.4 Hz too high. With the second harmonic of the root, it makes an audible beating with a period
/// of 2.5 s.
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

  /// Returns the next sample of the chord.
  ///
  /// - Parameter ahead: the direction of the chord, from 1 (in front of you) to −1 (behind you). In front, the filter's
  ///   cutoff frequency is four octaves higher than behind.
  mutating func tick(ahead: Float) -> Float {
    filter.set(frequency: 700 * exp2(2 * ahead), q: 2, sampleRate: sampleRate)
    return 0.12 * filter.tick(root.tick() + fifth.tick() + octave.tick())
  }
}
