/// A struck string: which it is, and in what condition.
struct PianoVoice: BitwiseCopyable {
  enum Condition: UInt8, BitwiseCopyable {
    /// No voice at all.
    case silent
    /// The key is down.
    case held
    /// The key is up.
    case released
    /// Given up for another note; soon silent.
    case choked
  }

  var condition = Condition.silent
  /// Whether its strings have a damper.
  var isDamped = false
  /// 0 … 87.
  var key = 0
  /// What the note was struck as.
  var id: Int32 = 0
  /// Frames since it was struck.
  var age = 0
  /// Frames until the key lets go by itself, or a choked voice is silent.
  var remaining = Int.max
  /// Vectors of modes that are not silent yet.
  var vectors: Int32 = 0
  /// How loud it was when last looked at: the sum of its modes' squares.
  var energy: Float = 0
  /// What of it goes to the left and to the right.
  var left: Float = 0
  var right: Float = 0

  /// Whether it counts as one of the notes that sound.
  var isPlaying: Bool { condition == .held || condition == .released }
}
