import MoDSP

/// A voice that plays one bar.
struct BarVoice: NoteVoice {
  /// The properties of the bar and of the mallet, which take effect at the next strike.
  struct Make: Equatable, Sendable, BitwiseCopyable {
    /// The material of the bar.
    var material = BarMaterial.rosewood
    /// The hardness of the mallet, 0 (wool) … 1 (brass).
    var hardness: Float = 0.5
    /// The factor on the decay time of the material.
    var decay: Float = 1
  }

  var make = Make()
  private var bar = Bar()
  private var pitch: Float = 60
  private var bent: Float = 0

  var isSounding: Bool { bar.isSounding }
  /// The pan position, −0.6 … 0.6: low bars to the left, high bars to the right.
  var pan: Float { max(-0.6, min((pitch - 69) / 40, 0.6)) }

  mutating func prepare(sampleRate: Double) { bar.prepare(sampleRate: sampleRate) }

  mutating func start(_ note: Note) {
    pitch = note.pitch
    bar.set(make.material, frequency: MoFun.midiToHz(Double(pitch + bent)), decay: Double(make.decay))
    bar.hardness = Double(make.hardness)
    bar.strike(note.velocity)
  }

  /// Bends the pitch from the next strike on.
  mutating func bend(_ semitones: Float) { bent = semitones }

  mutating func rest() { bar.rest() }

  mutating func tick(_ setting: Void) -> Float { Self.gain * bar.tick() }

  /// The gain that makes the bar as loud as the other instruments.
  private static let gain: Float = 1.9
}
