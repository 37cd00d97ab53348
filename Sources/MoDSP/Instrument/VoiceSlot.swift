/// A place for a voice: which note it plays, and how far it is faded out.
@frozen
public struct VoiceSlot<Voice: NoteVoice>: Sendable {
  /// The voice itself.
  @usableFromInline var voice: Voice
  /// The note it was started with.
  @usableFromInline var note = Note(0, velocity: 0, id: -1)
  /// How many notes had begun before this one: the lower, the older.
  @usableFromInline var order = 0
  /// Whether its note has not been let go.
  @usableFromInline var isHeld = false
  /// Frames until a stroke that nobody holds lets its note go; 0 for never.
  @usableFromInline var strokeLeft = 0
  /// What is left of the way to silence, 1 … 0, where it was silenced for another.
  @usableFromInline var fade: Float = 1
  @usableFromInline var isFading = false

  @inlinable
  init(_ voice: Voice) { self.voice = voice }

  /// Comes to rest at once.
  @inlinable
  mutating func rest() {
    voice.rest()
    (isHeld, isFading, fade, strokeLeft) = (false, false, 1, 0)
  }

  /// Lets the note go, where it is held.
  @inlinable
  mutating func release(_ note: Note) {
    guard isHeld else { return }
    isHeld = false
    strokeLeft = 0
    voice.release(note)
  }
}
