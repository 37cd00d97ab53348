/// A voice of `Voices`, with the note that it plays and its fade-out.
@frozen
public struct VoiceSlot<Voice: NoteVoice>: Sendable {
  /// The voice that renders the sound.
  @usableFromInline var voice: Voice
  /// The note that started the voice.
  @usableFromInline var note = Note(0, velocity: 0, id: -1)
  /// The number of notes that began before this note; an older note has a lower number.
  @usableFromInline var order = 0
  /// Whether the voice's note is not yet released.
  @usableFromInline var isHeld = false
  /// Frames until the note of a strike is released automatically, as a strike has no `noteOff`; 0 for all other notes.
  @usableFromInline var strokeLeft = 0
  /// The progress of the fade-out, from 1 (start) to 0 (silence), after a new note has replaced the voice's note.
  ///
  /// The gain of the fade-out is fade² · (3 − 2 · fade).
  @usableFromInline var fade: Float = 1
  @usableFromInline var isFading = false

  @inlinable
  init(_ voice: Voice) { self.voice = voice }

  /// Makes the voice silent immediately, and ends its note and its fade-out.
  @inlinable
  mutating func rest() {
    voice.rest()
    (isHeld, isFading, fade, strokeLeft) = (false, false, 1, 0)
  }

  /// Releases the voice's note, unless this note is already released.
  @inlinable
  mutating func release(_ note: Note) {
    guard isHeld else { return }
    isHeld = false
    strokeLeft = 0
    voice.release(note)
  }
}
