import MoCore
import MoDSP
import MoMu

extension InstrumentHandle {
  /// Plays the notes of a text, one word of the text per beat.
  ///
  /// ```swift
  /// let piano = try MoAudio.play(Piano())
  /// try piano.play("C4 E4 G4 C4+E4+G4", tempo: 90)
  /// ```
  ///
  /// - Parameters:
  ///   - notes: note names or MIDI note numbers, `-` for a rest, `+` between the notes of a chord: see `NoteText`.
  ///   - tempo: beats per minute; each word of `notes` takes one beat.
  ///   - start: the time at which the first note sounds; nil for as soon as possible.
  /// - Throws: `InstrumentError.noNotes`, with the word that cannot be parsed.
  /// - Thread: any but the audio thread's callback; the notes are sent on the `mo-input` thread.
  public func play(_ notes: String, tempo: Tempo = 120, heardAt start: HostTime? = nil) throws {
    let run = Run.current
    let notes = try NoteText(notes)
    let lead =
      Duration.seconds(MoAudio.soundLead + InstrumentBus.lookAhead) + .milliseconds(run.isOffline ? 0 : 50)
    let earliest = run.clock.now + lead
    let send: (InstrumentEvent, HostTime) -> Void = { [self] event, time in
      _ = self.send(event, heardAt: time)
    }
    let first = start.map { max($0, earliest) } ?? earliest
    let score = NoteScore(notes, tempo: tempo.beatsPerMinute, from: first, lead: { lead }, send)
    try run.input.add(score) { _ in }
  }
}
