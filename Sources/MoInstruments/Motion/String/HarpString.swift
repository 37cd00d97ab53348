import MoDSP

/// A voice that plays one string of the harp.
struct HarpString: NoteVoice {
  private var string: PluckedString
  private var pitch: Float = 60
  private var bent: Float = 0

  init(seed: UInt64?) { string = PluckedString(seed: seed) }

  var isSounding: Bool { string.isSounding }
  /// The pan position, −0.5 … 0.5: low strings to the left, high strings to the right.
  var pan: Float { max(-0.5, min((pitch - 64) / 40, 0.5)) }

  mutating func prepare(sampleRate: Double) { string.prepare(sampleRate: sampleRate) }

  /// Changes the string's decay, brightness and plucking position, also while the string rings.
  mutating func set(decay: Float, brightness: Float, place: Float) {
    string.set(decay: Double(decay), brightness: Double(brightness), place: Double(place))
  }

  mutating func start(_ note: Note) {
    pitch = note.pitch
    string.frequency = MoFun.midiToHz(Double(pitch + bent))
    string.pluck(note.velocity)
  }

  /// Bends the pitch from the next pluck on, because a ringing string cannot change its pitch without a click.
  mutating func bend(_ semitones: Float) { bent = semitones }

  mutating func rest() { string.rest() }

  mutating func tick(_ setting: Void) -> Float { softClip(Self.gain * string.tick(), limit: 1.3) }

  /// The gain that makes a string about as loud as the other instruments.
  ///
  /// A string rings far below the level of its pluck, so the hardest plucks are soft-clipped a little.
  private static let gain: Float = 3.4
}
