/// A voice of the piano: a struck key and its condition.
struct PianoVoice: BitwiseCopyable {
  enum Condition: UInt8, BitwiseCopyable {
    /// The voice plays no note.
    case silent
    /// The key is down.
    case held
    /// The key is up.
    case released
    /// The note fades out within 25 ms, because the key is struck again or another note needs the voice.
    case choked
  }

  var condition = Condition.silent
  /// Whether the key has a damper.
  var isDamped = false
  /// The key, 0 … 87.
  var key = 0
  /// The ID of the note.
  var id: Int32 = 0
  /// The frames since the strike.
  var age = 0
  /// The frames until the key is released automatically, or until a choked voice is silent; `Int.max` for neither.
  var remaining = Int.max
  /// The number of vectors, groups of 8 modes, that are still rendered; the modes of all higher vectors are silent.
  var vectors: Int32 = 0
  /// The energy at the last check: the sum of the modes' squares.
  var energy: Float = 0
  /// The gain of the left channel.
  var left: Float = 0
  /// The gain of the right channel.
  var right: Float = 0

  /// Whether the voice counts as a sounding note.
  var isPlaying: Bool { condition == .held || condition == .released }
}
