import MoDSP

/// A voice that plays one note of the arpeggio.
struct TineVoice: NoteVoice {
  /// The brightness of the next note, 0 … 1.
  var brightness: Float = 0.4
  /// The time in which the next note falls by 60 dB, in seconds.
  var decay = 1.0
  private var tine = Tine()
  private var pitch: Float = 60
  private var bent: Float = 0

  var isSounding: Bool { tine.isSounding }
  var level: Float { tine.level }
  /// The pan position, −0.5 … 0.5: low notes to the left, high notes to the right.
  var pan: Float { max(-0.5, min((pitch - 64) / 30, 0.5)) }

  mutating func prepare(sampleRate: Double) { tine.prepare(sampleRate: sampleRate) }

  mutating func start(_ note: Note) {
    pitch = note.pitch
    let frequency = MoFun.midiToHz(Double(pitch + bent))
    tine.strike(frequency, force: note.velocity, brightness: brightness, decay: decay)
  }

  mutating func release(_ note: Note) { tine.damp(within: 0.3) }

  mutating func bend(_ semitones: Float) {
    bent = semitones
    tine.tune(MoFun.midiToHz(Double(pitch + bent)))
  }

  mutating func rest() { tine.rest() }

  mutating func tick(_ setting: Void) -> Float { tine.tick() }
}
