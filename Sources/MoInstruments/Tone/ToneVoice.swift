import MoDSP
import MoMu

/// A voice of `Tone`: a sine and an adjustable third harmonic.
struct ToneVoice: NoteVoice {
  struct Setting {
    var brightness: Float
    var softness: Float
  }

  private var sine = Sine()
  private var third = Sine()
  private var envelope = ADSR(attack: 0.01, decay: 0.1, sustain: 0.8, release: 0.25)
  private var velocity: Float = 0
  private var pitch: Float = 60
  private var semitones: Float = 0
  private var isNew = false

  var isSounding: Bool { isNew || envelope.isSounding }
  var level: Float { velocity * Float(envelope.level) }

  mutating func prepare(sampleRate: Double) {
    sine.prepare(sampleRate: sampleRate)
    third.prepare(sampleRate: sampleRate)
    envelope.prepare(sampleRate: sampleRate)
  }

  mutating func start(_ note: Note) {
    velocity = note.velocity
    (sine.phase, third.phase) = (0, 0)
    move(to: note)
    isNew = true
  }

  mutating func release(_ note: Note) {
    if isNew { envelope.on() }
    isNew = false
    envelope.off()
  }

  mutating func move(to note: Note) {
    pitch = note.pitch
    tune()
  }

  mutating func bend(_ semitones: Float) {
    self.semitones = semitones
    tune()
  }

  mutating func tick(_ setting: Setting) -> Float {
    if isNew {
      envelope.attack = Double(setting.softness)
      envelope.on()
      isNew = false
    }
    // Two hard notes reach full scale; the bus limits anything above.
    return 0.3 * velocity * envelope.tick() * (sine.tick() + 0.5 * setting.brightness * third.tick())
  }

  mutating func rest() {
    envelope.rest()
    isNew = false
  }

  private mutating func tune() {
    let frequency = MoFun.midiToHz(Double(pitch + semitones))
    sine.frequency = frequency
    third.frequency = 3 * frequency
  }
}
