import MoDSP

/// One string of the harp, as a voice among others.
struct HarpString: NoteVoice {
  private var string: PluckedString
  private var pitch: Float = 60
  private var bent: Float = 0

  init(seed: UInt64?) { string = PluckedString(seed: seed) }

  var isSounding: Bool { string.isSounding }
  /// Low strings to the left, high ones to the right.
  var pan: Float { max(-0.5, min((pitch - 64) / 40, 0.5)) }

  mutating func prepare(sampleRate: Double) { string.prepare(sampleRate: sampleRate) }

  /// Makes it brighter or shorter, also while it rings.
  mutating func set(decay: Float, brightness: Float, place: Float) {
    string.set(decay: Double(decay), brightness: Double(brightness), place: Double(place))
  }

  mutating func start(_ note: Note) {
    pitch = note.pitch
    string.frequency = MoFun.midiToHz(Double(pitch + bent))
    string.pluck(note.velocity)
  }

  /// A string that rings cannot be tuned anew without a click: the next pluck is.
  mutating func bend(_ semitones: Float) { bent = semitones }

  mutating func rest() { string.rest() }

  mutating func tick(_ setting: Void) -> Float { softClip(Self.gain * string.tick(), limit: 1.3) }

  /// A string rings far below its pluck: to be about as loud as other instruments, the hardest pluck is bent a little.
  private static let gain: Float = 3.4
}
