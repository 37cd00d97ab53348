import MoDSP
import MoMu

/// A bell: a decaying sine whose phase is modulated by a second sine.
///
/// - Source: J. Chowning, *The Synthesis of Complex Audio Spectra by Means of Frequency Modulation* (1973).
struct Bell: Voice {
  private var carrier = Sine()
  private var modulator = Sine()
  private var frequency: Float = 0
  private var force: Float = 0
  private var fall = BreakpointEnvelope([.init(0.3, after: 0), .init(0, after: 12, curve: -8)])
  private var rise = OnePole()

  mutating func prepare(sampleRate: Double) {
    carrier.prepare(sampleRate: sampleRate)
    modulator.prepare(sampleRate: sampleRate)
    fall.prepare(sampleRate: sampleRate)
    // Prevents a click when a note replaces another.
    rise.setTime(0.005, sampleRate: sampleRate)
  }

  /// Whether the note has died away.
  var isSilent: Bool { !fall.isSounding && abs(rise.lastOut) < 1e-5 }

  /// Starts a note.
  mutating func start(_ note: Note) {
    frequency = MoFun.midiToHz(MoFun.clamp(note.pitch, to: 0...127))
    force = MoFun.clamp(note.force, to: 0...1)
    // The carrier starts at its peak, so that the first frame sounds. A new phase of a bell that sounds would click.
    if isSilent { (carrier.phase, modulator.phase) = (0.25, 0) }
    fall.on()
  }

  /// Returns the next sample; `bend` multiplies the frequency.
  mutating func tick(bend: Float) -> Float {
    carrier.frequency = bend * frequency
    modulator.frequency = 1.41 * bend * frequency
    let level = rise.tick(force * fall.tick())
    return level * carrier.tick(shiftedBy: 0.9 * level * modulator.tick())
  }
}
