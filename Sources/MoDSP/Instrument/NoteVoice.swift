/// A voice that plays a single note at a time, such as a string, a bar or a key of an instrument.
///
/// `Voices` makes a polyphonic instrument from several identical voices.
///
/// - Thread: creation and `prepare` on the thread that sets up the sound; all other calls on the audio thread.
/// - Real-time safe: all calls except `prepare` must be.
public protocol NoteVoice: Sendable {
  /// The type of a setting that all voices receive for every sample, such as brightness; `Void` for no setting.
  associatedtype Setting = Void

  /// Adapts the voice to a sample rate and resets it.
  mutating func prepare(sampleRate: Double)

  /// Begins a note on a voice that is at rest.
  mutating func start(_ note: Note)

  /// Releases the sounding note, so that the note decays.
  mutating func release(_ note: Note)

  /// Gives the sounding note the pitch and the velocity of `note`.
  mutating func move(to note: Note)

  /// Sets the pitch bend of the present note and of all future notes, in semitones; 0 is no bend.
  mutating func bend(_ semitones: Float)

  /// Returns the next sample.
  mutating func tick(_ setting: Setting) -> Float

  /// Makes the voice exactly silent immediately, and ready for the next note.
  mutating func rest()

  /// Whether the voice makes a sound.
  var isSounding: Bool { get }

  /// The approximate amplitude of the voice's sound, from 0.
  ///
  /// The unit has no effect: `Voices` only compares the levels of its voices.
  /// If all voices are in use, a new note replaces the released note with the lowest `level`. If no note is released,
  /// the new note replaces the held note with the lowest `level`. Of notes with equal levels, it replaces the oldest.
  var level: Float { get }

  /// The position in the stereo field, clamped to −1 … 1: −1 is left, 0 the middle, 1 right.
  var pan: Float { get }
}

extension NoteVoice {
  /// The default: does nothing, because the note decays by itself.
  @inlinable
  public mutating func release(_ note: Note) {}

  /// The default: does nothing; the pitch and the velocity of the note stay.
  @inlinable
  public mutating func move(to note: Note) {}

  /// The default: does nothing; the voice ignores pitch bend.
  @inlinable
  public mutating func bend(_ semitones: Float) {}

  /// The default: 1, so that all voices count as equally loud.
  @inlinable
  public var level: Float { 1 }

  /// The default: 0, the middle of the stereo field.
  @inlinable
  public var pan: Float { 0 }
}
