import MoDSP

extension InstrumentEvent {
  /// The event with its numbers clamped to their ranges; nil if the event is invalid.
  ///
  /// An event is invalid if a number is NaN, if a number of a bend or motion is infinite, or if the force of a strike
  /// is not above 0. A `noteOn` with a velocity of 0 becomes a `noteOff`.
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
  /// The note with its pitch clamped to 0 … 127 and its velocity to 0 … 1; nil if the pitch or the velocity is NaN.
  package var cleaned: Note? {
    guard !pitch.isNaN, !velocity.isNaN else { return nil }
    return Note(max(0, min(pitch, 127)), velocity: max(0, min(velocity, 1)), id: id)
  }
}

extension Motion {
  /// Whether every number in the motion is finite.
  var isFinite: Bool {
    // The difference of a non-finite number with itself is NaN.
    let sum = x + y + z + tilt.pitch + tilt.roll + activity + energy + (strike ?? 0) + (tap ?? 0)
    return (sum - sum) == 0
  }
}
