import MoDSP

/// What is on its way to an instrument: an event of its own, or a parameter's new value.
@usableFromInline
package enum SlotEvent: Sendable, BitwiseCopyable {
  case event(InstrumentEvent)
  case set(index: Int32, value: Float)
}

/// An event on its way to the audio thread, and which kind of time it bears.
struct SlotMessage: Sendable, BitwiseCopyable {
  var event: SlotEvent
  /// Whether its time is when it is to be heard; else it is when it was played.
  var isHeard: Bool
}

extension InstrumentSlot {
  /// Hands an event over to the audio thread; false, and counted, if there is no room.
  ///
  /// If the end of a note finds no room, every note is let go with the next block: none may sound for ever.
  ///
  /// - Thread: any.
  /// - Real-time safe: yes.
  package func send(_ event: SlotEvent, played: HostTime, heard: HostTime? = nil) -> Bool {
    if inbox.add(SlotMessage(event: event, isHeard: heard != nil), at: heard ?? played) { return true }
    switch event {
    case .event(.noteOff), .event(.allOff): hasLostEnd.store(true, ordering: .releasing)
    default: break
    }
    return false
  }
}

extension InstrumentEvent {
  /// The event as an instrument may get it: numbers finite and in range, a note with no force an end; nil where that
  /// cannot be.
  package var cleaned: InstrumentEvent? {
    switch self {
    case .noteOn(let note):
      guard let note = note.cleaned else { return nil }
      return note.velocity > 0 ? .noteOn(note) : .noteOff(note)
    case .noteOff(let note): return note.cleaned.map { .noteOff($0) }
    case .noteMove(let note): return note.cleaned.map { .noteMove($0) }
    case .strike(let force): return force > 0 ? .strike(min(force, 1)) : nil
    case .bend(let semitones): return semitones.isFinite ? .bend(max(-24, min(semitones, 24))) : nil
    case .motion(let motion): return motion.isFinite ? self : nil
    case .line, .rhythm, .allOff: return self
    }
  }
}

extension Note {
  /// The note with its pitch within 0 … 127 and its velocity within 0 … 1; nil where one is no number.
  package var cleaned: Note? {
    guard !pitch.isNaN, !velocity.isNaN else { return nil }
    return Note(max(0, min(pitch, 127)), velocity: max(0, min(velocity, 1)), id: id)
  }
}

extension Motion {
  /// Whether every number in it is finite.
  var isFinite: Bool {
    // Whatever is not finite, less itself, is no number.
    let sum = x + y + z + tilt.pitch + tilt.roll + activity + energy + (jerk ?? 0) + (tap ?? 0)
    return (sum - sum) == 0
  }
}
