/// One of several identical voices that each play a note: a string, a bar, a key.
///
/// `Voices` makes a polyphonic instrument from such voices.
///
/// - Thread: the thread that sets up creates and prepares a voice; the audio thread makes all other calls.
/// - Real-time safe: all calls except `prepare` must be.
public protocol NoteVoice: Sendable {
  /// The type of a setting that all voices receive for every sample, such as brightness; `Void` for no setting.
  associatedtype Setting = Void

  /// Adapts the voice to a sample rate and resets it.
  mutating func prepare(sampleRate: Double)

  /// Begins a note on a voice that is at rest.
  mutating func start(_ note: Note)

  /// Releases the note.
  mutating func release(_ note: Note)

  /// Changes the pitch or velocity of the sounding note.
  mutating func move(to note: Note)

  /// Bends present and future notes by the given number of semitones.
  mutating func bend(_ semitones: Float)

  /// Returns the next sample.
  mutating func tick(_ setting: Setting) -> Float

  /// Silences the voice exactly and immediately, ready for the next note.
  mutating func rest()

  /// Whether the voice makes a sound.
  var isSounding: Bool { get }

  /// The approximate amplitude of the voice's sound.
  ///
  /// If all voices are in use, a new note replaces a released note, or else a held note. Of several such notes,
  /// it replaces the note with the lowest `level`; if they are equal, the oldest.
  var level: Float { get }

  /// The position in the stereo field: −1 is left, 0 the middle, 1 right.
  var pan: Float { get }
}

extension NoteVoice {
  /// Does nothing: the note decays by itself.
  @inlinable
  public mutating func release(_ note: Note) {}

  /// Does nothing: the pitch stays.
  @inlinable
  public mutating func move(to note: Note) {}

  /// Does nothing: the voice does not bend.
  @inlinable
  public mutating func bend(_ semitones: Float) {}

  /// The default: 1, so that all voices count as equally loud.
  @inlinable
  public var level: Float { 1 }

  /// The default: 0, the middle of the stereo field.
  @inlinable
  public var pan: Float { 0 }
}
