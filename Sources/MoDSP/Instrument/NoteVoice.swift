/// One of several alike voices, each playing a note: a string, a bar, a key.
///
/// `Voices` makes a polyphonic instrument of them.
///
/// - Thread: made and prepared by the one that sets up; the rest on the audio thread.
/// - Real-time safe: all but `prepare` must be.
public protocol NoteVoice: Sendable {
  /// What all voices are told for every sample, such as brightness; `Void` for nothing.
  associatedtype Setting = Void

  /// Fits it to a sample rate, at rest.
  mutating func prepare(sampleRate: Double)

  /// Begins a note; the voice is at rest.
  mutating func start(_ note: Note)

  /// Lets the note go.
  mutating func release(_ note: Note)

  /// Goes to another pitch or force while it sounds.
  mutating func move(to note: Note)

  /// Bends what sounds, and what will, by so many semitones.
  mutating func bend(_ semitones: Float)

  /// The next sample.
  mutating func tick(_ setting: Setting) -> Float

  /// Exact silence at once, ready for the next note.
  mutating func rest()

  /// Whether anything is to be heard of it.
  var isSounding: Bool { get }

  /// About how loud it is, for choosing whom to silence where all voices sound; alike for all, the oldest goes.
  var level: Float { get }

  /// Where it stands: −1 left, 0 the middle, 1 right.
  var pan: Float { get }
}

extension NoteVoice {
  /// Dies away by itself.
  @inlinable
  public mutating func release(_ note: Note) {}

  /// Stays where it is.
  @inlinable
  public mutating func move(to note: Note) {}

  /// Is not bent.
  @inlinable
  public mutating func bend(_ semitones: Float) {}

  /// As loud as any other.
  @inlinable
  public var level: Float { 1 }

  /// In the middle.
  @inlinable
  public var pan: Float { 0 }
}
