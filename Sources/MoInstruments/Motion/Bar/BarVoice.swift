import MoDSP

/// One of the bars, as a voice among others.
struct BarVoice: NoteVoice {
  /// What the next stroke is to have.
  struct Make: Equatable, Sendable, BitwiseCopyable {
    var material = BarMaterial.rosewood
    var hardness: Float = 0.5
    var decay: Float = 1
  }

  var make = Make()
  private var bar = Bar()
  private var pitch: Float = 60
  private var bent: Float = 0

  var isSounding: Bool { bar.isSounding }
  /// Low bars to the left, high ones to the right.
  var pan: Float { max(-0.6, min((pitch - 69) / 40, 0.6)) }

  mutating func prepare(sampleRate: Double) { bar.prepare(sampleRate: sampleRate) }

  mutating func start(_ note: Note) {
    pitch = note.pitch
    bar.set(make.material, frequency: MoFun.midiToHz(Double(pitch + bent)), decay: Double(make.decay))
    bar.hardness = Double(make.hardness)
    bar.strike(note.velocity)
  }

  /// From the next stroke on.
  mutating func bend(_ semitones: Float) { bent = semitones }

  mutating func rest() { bar.rest() }

  mutating func tick(_ setting: Void) -> Float { Self.gain * bar.tick() }

  /// As loud as the other instruments.
  private static let gain: Float = 1.9
}
