import MoDSP
import MoMu

/// An event source that sends the notes of a `NoteText` with their exact times; each word of the text takes one beat.
package final class NoteScore: EventSource {
  /// An event and the time at which it must sound; the last step has no event (nil), and its time ends the score.
  private struct Step {
    var time: HostTime
    var event: InstrumentEvent?
  }

  package let name = "notes"
  package let descriptor: Int32? = nil
  package let isFinite = true
  private let send: (InstrumentEvent, HostTime) -> Void
  private let steps: [Step]
  private var next = 0
  private let lead: () -> Duration

  /// The fraction of a beat for which a note is held.
  private static let held = 0.9

  /// Creates a source of notes whose first beat is heard at the time `start`.
  ///
  /// - Parameters:
  ///   - tempo: beats per minute.
  ///   - lead: returns the time from the sending of an event to its sound.
  ///   - send: receives each event and the time at which it must sound.
  package init(
    _ notes: NoteText, tempo: Double, from start: HostTime, lead: @escaping () -> Duration,
    _ send: @escaping (InstrumentEvent, HostTime) -> Void
  ) {
    self.send = send
    self.lead = lead
    let beat = 60 / tempo
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
  }
}
