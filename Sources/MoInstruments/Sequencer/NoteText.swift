import MoCore
import MoDSP
import MoMu

/// A text of notes, one word per beat: `C4 E4 G4`, chords as `C4+E4+G4`, `-` for a rest.
///
/// Spaces, tabs, line ends, commas and `|` separate the words.
///
/// C4 is middle C, MIDI note 60. `F#3` is a semitone above F3, `Bb5` a semitone below B5. Numbers from 0 to 127
/// are also accepted.
///
/// - Thread: any; a plain value.
/// - Real-time safe: no.
public struct NoteText: Sendable, Equatable {
  /// For each beat, the pitches of its notes, as MIDI note numbers; an empty array is a rest.
  public var beats: [[Float]]

  /// Parses notes.
  ///
  /// - Throws: `InstrumentError.noNotes`, with the word that cannot be parsed.
  public init(_ text: String) throws(InstrumentError) {
    beats = []
    for word in text.split(whereSeparator: { $0.isWhitespace || $0 == "," || $0 == "|" }) {
      var chord: [Float] = []
      if word != "-" {
        for name in word.split(separator: "+", omittingEmptySubsequences: false) {
          guard let pitch = NoteText.pitch(name) else { throw .noNotes(text: text, word: String(word)) }
          chord.append(pitch)
        }
      }
      beats.append(chord)
    }
    if beats.isEmpty { throw .noNotes(text: text, word: text) }
  }

  /// Returns the MIDI note number for a note's name or number as text; nil for other text, and outside 0 … 127.
  public static func pitch(_ name: some StringProtocol) -> Float? {
    if let number = Float(name) { return (0...127).contains(number) ? number : nil }
    var rest = name.lowercased()[...]
    guard let letter = rest.popFirst(), let place = Array("c d ef g a b").firstIndex(of: letter),
      letter != " "
    else {
      return nil
    }
    var semitone = place
    if rest.first == "#" || rest.first == "♯" { semitone += 1 }
    if rest.first == "b" || rest.first == "♭" { semitone -= 1 }
    if let sign = rest.first, "#♯b♭".contains(sign) { rest.removeFirst() }
    guard let octave = Int(rest), (-1...9).contains(octave) else { return nil }
    let pitch = 12 * (octave + 1) + semitone
    return (0...127).contains(pitch) ? Float(pitch) : nil
  }

  /// Returns the name of a pitch, such as `C4`; a deviation in cents follows if it is not 0, as in `C4+25`.
  ///
  /// The pitch is clamped to 0 … 127; NaN counts as 0.
  public static func name(_ pitch: Float) -> String {
    let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    let pitch = pitch.isNaN ? 0 : max(0, min(pitch, 127))
    let note = Int(pitch.rounded())
    let cents = Int(((pitch - Float(note)) * 100).rounded())
    let name = names[note % 12] + "\(note / 12 - 1)"
    return cents == 0 ? name : name + (cents > 0 ? "+" : "") + "\(cents)"
  }
}

/// An event source that sends the notes of a `NoteText` with their exact times; each word of the text takes one beat.
///
/// After the last beat, the source removes itself from its event loop.
package final class NoteScore: EventTimer {
  /// An event and the time at which it must sound; the last step has no event (nil), and its time ends the score.
  private struct Step {
    var time: HostTime
    var event: InstrumentEvent?
  }

  package let name = "notes"
  package let isFinite = true
  private let send: (InstrumentEvent, HostTime) -> Void
  private let steps: [Step]
  private var next = 0
  private let lead: () -> Duration
  /// The event loop that services the source; weak, because the loop holds the source.
  private weak var input: EventLoop?

  /// The fraction of a beat for which a note is held.
  private static let held = 0.9

  /// Creates a source of notes whose first beat is heard at the time `start`.
  ///
  /// - Parameters:
  ///   - tempo: the tempo.
  ///   - lead: returns the time from the sending of an event to its sound.
  ///   - input: the event loop to which the caller adds the source.
  ///   - send: receives each event and the time at which it must sound.
  package init(
    _ notes: NoteText, tempo: Tempo, from start: HostTime, lead: @escaping () -> Duration,
    in input: EventLoop, _ send: @escaping (InstrumentEvent, HostTime) -> Void
  ) {
    (self.send, self.lead, self.input) = (send, lead, input)
    let beat = 60 / tempo.beatsPerMinute
    var steps: [Step] = []
    for (index, chord) in notes.beats.enumerated() {
      let time = start.advanced(bySeconds: Double(index) * beat)
      for pitch in chord { steps.append(Step(time: time, event: .noteOn(Note(pitch)))) }
      let end = time.advanced(bySeconds: Self.held * beat)
      for pitch in chord { steps.append(Step(time: end, event: .noteOff(Note(pitch, velocity: 0.5)))) }
    }
    // The score lasts to the end of the last beat. Struck notes ring on, and other players' notes are not
    // cut off.
    steps.append(Step(time: start.advanced(bySeconds: Double(notes.beats.count) * beat)))
    self.steps = steps
  }

  package var nextTime: HostTime? {
    guard next < steps.count else { return nil }
    // The end is not sent, so it has no lead.
    return steps[next].event == nil ? steps[next].time : steps[next].time - lead()
  }

  package func service(until now: HostTime) {
    while let time = nextTime, time <= now {
      if let event = steps[next].event { send(event, steps[next].time) }
      next += 1
    }
    if next == steps.count { input?.remove(self) }
  }
}

extension InstrumentHandle {
  /// Plays the notes of a text, one word of the text per beat.
  ///
  /// Each note has the velocity 0.8 and lasts 0.9 of a beat.
  ///
  /// ```swift
  /// let piano = try MoAudio.play(Piano())
  /// try piano.play("C4 E4 G4 C4+E4+G4", tempo: 90)
  /// ```
  ///
  /// - Parameters:
  ///   - notes: note names or MIDI note numbers, `-` for a rest, `+` between the notes of a chord: see `NoteText`.
  ///   - tempo: beats per minute; each word of `notes` takes one beat.
  ///   - start: the time at which the first note sounds; nil for as soon as possible. A time that is too soon counts as
  ///     nil. If the instrument is shared with a room, the first note sounds at least 0.6 s after this call. So all
  ///     members receive it in time.
  /// - Throws: `InstrumentError.noNotes`, with the word that cannot be parsed.
  /// - Thread: any but the audio thread's callback; the notes are sent on the `mo-input` thread.
  public func play(_ notes: String, tempo: Tempo = 120, heardAt start: HostTime? = nil) throws {
    let run = Run.current
    let notes = try NoteText(notes)
    let lead = Duration.seconds(MoAudio.noteLead(forRoom: slot.isShared))
    let earliest = run.clock.now + lead
    let send: (InstrumentEvent, HostTime) -> Void = { [self] event, time in
      _ = self.send(event, heardAt: time)
    }
    let first = start.map { max($0, earliest) } ?? earliest
    let score = NoteScore(
      notes, tempo: tempo, from: first, lead: { lead }, in: run.input, send)
    try run.input.add(score) { _ in }
  }
}
