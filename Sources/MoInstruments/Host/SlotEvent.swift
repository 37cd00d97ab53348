import MoDSP

/// A message to an instrument: an event, or a new value of a parameter.
@usableFromInline
package enum SlotEvent: Sendable, BitwiseCopyable {
  case event(InstrumentEvent)
  case set(index: Int32, value: Float)
}

/// A message to the audio thread, with the kind of its time.
struct SlotMessage: Sendable, BitwiseCopyable {
  var event: SlotEvent
  /// Whether its time is when it must be heard; otherwise it is when it was played.
  var isHeard: Bool
}

extension InstrumentSlot {
  /// Passes an event to the audio thread; returns false, and counts it, if the inbox is full.
  ///
  /// If the release of a note finds the inbox full, the next block releases all notes, so that none sounds
  /// forever.
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
  /// The event with clamped, finite numbers; nil if that is not possible.
  ///
  /// A note with a velocity of 0 becomes the end of a note.
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
  /// The note with its pitch clamped to 0 … 127 and its velocity to 0 … 1; nil if either is NaN.
  package var cleaned: Note? {
    guard !pitch.isNaN, !velocity.isNaN else { return nil }
    return Note(max(0, min(pitch, 127)), velocity: max(0, min(velocity, 1)), id: id)
  }
}

extension Motion {
  /// Whether every number in it is finite.
  var isFinite: Bool {
    // The difference of a non-finite number with itself is NaN.
    let sum = x + y + z + tilt.pitch + tilt.roll + activity + energy + (strike ?? 0) + (tap ?? 0)
    return (sum - sum) == 0
  }
}
