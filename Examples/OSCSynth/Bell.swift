import Glibc
import MoMu

/// One note: a sine whose pitch another one shakes, both dying away.
///
/// - Source: J. Chowning, *The Synthesis of Complex Audio Spectra by Means of Frequency Modulation* (1973).
struct Bell {
  private var phase: Float = 0
  private var modulator: Float = 0
  private var step: Float = 0
  private var level: Float = 0
  private var wanted: Float = 0
  private var decay: Float = 0

  /// Whether nothing is heard of it any more.
  var isSilent: Bool { level < 1e-5 && wanted < 1e-5 }

  /// Starts a note.
  ///
  /// - Parameters:
  ///   - pitch: as MIDI counts: 69 is 440 Hz, and 1 a semitone.
  ///   - force: 0 … 1.
  mutating func start(pitch: Float, force: Float, sampleRate: Double) {
    let frequency = 440 * exp2f((min(max(pitch, 0), 127) - 69) / 12)
    step = frequency / Float(sampleRate)
    decay = expf(-1 / (1.5 * Float(sampleRate)))
    wanted = min(max(force, 0), 1) * 0.3
    (phase, modulator) = (0, 0)
  }

  /// The next sample; `bend` multiplies the frequency.
  mutating func tick(bend: Float) -> Float {
    // A rise of 5 ms, so that a note that replaces another does not click.
    level += (wanted - level) * 0.004
    wanted *= decay
    modulator += step * bend * 1.41
    phase += step * bend
    modulator -= floorf(modulator)
    phase -= floorf(phase)
    return level * sinf(2 * .pi * (phase + 0.9 * level * sinf(2 * .pi * modulator)))
  }
}
