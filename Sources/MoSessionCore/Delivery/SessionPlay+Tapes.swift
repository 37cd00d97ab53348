/// What is played here alone, and told to the members that keep a tape, so that the tape has it.
extension SessionPlay {
  /// What an instrument's name begins with if something is for tapes alone: no program sounds it.
  private static let tapePrefix = "tape/"

  /// The same for tapes alone; the name of its instrument is cut to the length that a message has room for.
  package var forTapes: SessionPlay {
    guard !isForTapes else { return self }
    var name = instrument
    while Self.tapePrefix.utf8.count + name.utf8.count > Self.mostInstrument { name.removeLast() }
    return named(Self.tapePrefix + name)
  }

  /// Whether it is for tapes alone.
  package var isForTapes: Bool { instrument.hasPrefix(Self.tapePrefix) }

  /// The instrument that sounded, also of what is for tapes alone; empty for whatever the receiver plays.
  package var soundingInstrument: String {
    isForTapes ? String(instrument.dropFirst(Self.tapePrefix.count)) : instrument
  }

  /// The same for another instrument; what names none stays as it is.
  package func named(_ instrument: String) -> SessionPlay {
    switch self {
    case .hit(var hit):
      hit.instrument = instrument
      return .hit(hit)
    case .note(var note):
      note.instrument = instrument
      return .note(note)
    case .change(var change):
      change.instrument = instrument
      return .change(change)
    case .melody, .gesture, .cells, .cue, .text: return self
    }
  }
}
