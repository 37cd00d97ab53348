/// The plays for tapes: they sound only on this machine, and are sent to the other members that record a tape.
extension SessionPlay {
  /// The prefix of an instrument's name in a play for tapes: the play then sounds on no receiver's machine.
  private static let tapePrefix = "tape/"

  /// This play as a play for tapes: `tape/` precedes the instrument's name, which is cut to the length that a message
  /// allows.
  package var forTapes: SessionPlay {
    guard !isForTapes else { return self }
    var name = instrument
    while Self.tapePrefix.utf8.count + name.utf8.count > Self.mostInstrument { name.removeLast() }
    return named(Self.tapePrefix + name)
  }

  /// Whether the play is only for tapes, and sounds on no receiver's machine.
  package var isForTapes: Bool { instrument.hasPrefix(Self.tapePrefix) }

  /// The name of the play's instrument, without the prefix of a play for tapes; empty if the play names no instrument.
  package var soundingInstrument: String {
    isForTapes ? String(instrument.dropFirst(Self.tapePrefix.count)) : instrument
  }

  /// Returns the same play for another instrument; melodies, gestures, shared data, cues and texts are returned
  /// unchanged.
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
