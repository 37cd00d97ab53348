import Glibc
import MoInstruments

/// A theremin with ten voices, one for each finger.
struct Theremin: Instrument {
  static let sheet = InstrumentInfo(
    name: "theremin", summary: "a voice for every finger, which glides", plays: 48...84, holds: true, tail: 1,
    voices: 10)

  private var voices = Voices<ThereminVoice>(10) { ThereminVoice() }

  init(seed: UInt64? = nil) {}

  var isSounding: Bool { voices.isSounding }

  mutating func prepare(sampleRate: Double, blockFrames: Int) { voices.prepare(sampleRate: sampleRate) }

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) { voices.handle(event) }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) { voices.render(&block) }
}

/// A tone that glides to its finger's pitch; a louder note has a stronger overtone at the octave.
struct ThereminVoice: NoteVoice {
  private var tone = Sine()
  private var octave = Sine()
  private var goal = Note(60, velocity: 0)
  private var isHeld = false
  private var pitch: Float = 60
  private(set) var level: Float = 0
  private var glide = 1.0
  private var swell = 1.0

  var isSounding: Bool { isHeld || level > 1e-5 }

  mutating func prepare(sampleRate: Double) {
    tone.prepare(sampleRate: sampleRate)
    octave.prepare(sampleRate: sampleRate)
    glide = 1 - exp(-1 / (0.015 * sampleRate))  // 63 % of the way in 15 ms
    swell = 1 - exp(-1 / (0.03 * sampleRate))
  }

  mutating func start(_ note: Note) { (goal, pitch, level, isHeld) = (note, note.pitch, 0, true) }

  mutating func move(to note: Note) { goal = note }

  mutating func release(_ note: Note) { isHeld = false }

  mutating func rest() { (level, isHeld) = (0, false) }

  mutating func tick(_ setting: Void) -> Float {
    pitch += glide * (goal.pitch - pitch)
    level += swell * ((isHeld ? goal.velocity : 0) - level)
    tone.frequency = MoFun.midiToHz(pitch)
    octave.frequency = 2 * tone.frequency
    return 0.3 * level * (tone.tick() + 0.4 * level * octave.tick())
  }
}
