/// A voice of `Voices`, with the note that it plays and its fade-out.
@frozen
public struct VoiceSlot<Voice: NoteVoice>: Sendable {
  /// The voice itself.
  @usableFromInline var voice: Voice
  /// The note that started the voice.
  @usableFromInline var note = Note(0, velocity: 0, id: -1)
  /// The number of notes that began before this note: a lower number is an older note.
  @usableFromInline var order = 0
  /// Whether the voice's note is not yet released.
  @usableFromInline var isHeld = false
  /// Frames until the note of a strike is released automatically, as a strike has no `noteOff`; 0 for all other notes.
  @usableFromInline var strokeLeft = 0
  /// The gain of the fade-out, which falls from 1 to 0 after a new note has replaced the voice's note.
  @usableFromInline var fade: Float = 1
  @usableFromInline var isFading = false

  @inlinable
  init(_ voice: Voice) { self.voice = voice }

  /// Silences the voice immediately.
  @inlinable
  mutating func rest() {
    voice.rest()
    (isHeld, isFading, fade, strokeLeft) = (false, false, 1, 0)
  }

  /// Releases the note if it is held.
  @inlinable
  mutating func release(_ note: Note) {
    guard isHeld else { return }
    isHeld = false
    strokeLeft = 0
    voice.release(note)
  }
}
