/// An error when a program creates or plays an instrument, or changes a parameter; its text says what happened and what
/// to type.
public enum InstrumentError: Error, CustomStringConvertible, Equatable {
  /// No instrument has the name; `nearest` is the most similar name, nil for none.
  case unknownInstrument(name: String, nearest: String?)
  /// The instrument has no parameter with the name; `has` lists the names of its parameters.
  case unknownParameter(instrument: String, name: String, has: [String])
  /// A parameter cannot be set, because the value is NaN, or because the queue of events is full.
  case noNumber(instrument: String, parameter: String, range: ClosedRange<Float>)
  /// `MoAudio` already plays the program's own callback, so it cannot play an instrument.
  case soundInUse
  /// `most` instruments, the greatest possible number, already play.
  case tooMany(most: Int)
  /// The text of the notes cannot be parsed; `word` is the first invalid word.
  case noNotes(text: String, word: String)
  /// The text of the grid cannot be parsed; `word` is the invalid part.
  case noGrid(text: String, word: String)
  /// The name is empty or has characters other than `a` … `z`, `0` … `9` and `-`, so it cannot be in an OSC address.
  case badName(String)

  /// The error text: what happened and what to do.
  public var description: String {
    switch self {
    case .unknownInstrument(let name, let nearest)
    where name.hasPrefix("stk-") && nearest?.hasPrefix("stk-") != true:
      "there is no instrument \"\(name)\" in this build: for the instruments of the Synthesis ToolKit, type "
        + "sudo apt install libstk-dev stk, then swift run --traits STK momu play \(name)"
    case .unknownInstrument(let name, let nearest?):
      "there is no instrument \"\(name)\": did you mean \"\(nearest)\"? (momu instruments lists all)"
    case .unknownInstrument(let name, nil):
      "there is no instrument \"\(name)\": momu instruments lists all"
    case .unknownParameter(let instrument, let name, let has):
      "\(instrument) has no parameter \"\(name)\": it has \(has.joined(separator: ", "))"
    case .noNumber(let instrument, let parameter, let range):
      "\(instrument)'s \(parameter) must be a number from \(range.lowerBound) to \(range.upperBound)"
    case .soundInUse:
      "MoAudio already plays this program's own callback: call MoAudio.stop() before MoAudio.play, "
        + "or render an InstrumentBus in that callback"
    case .tooMany(let most):
      "\(most) instruments play already: stop one with its handle's stop()"
    case .noNotes(let text, let word):
      "cannot read \"\(word)\" in the notes \"\(text)\": write notes such as C4, F#3 or Bb5, chords as C4+E4+G4, "
        + "and - for a rest"
    case .noGrid(let text, let word):
      "cannot read \"\(word)\" in the grid \"\(text)\": write a note (4, 8, 16, 32; 6, 12, 24 for triplets), then "
        + "swing or strength (0 to 1), such as 16,swing=0.6"
    case .badName(let name):
      "an instrument cannot be called \"\(name)\": use lower-case letters, digits and hyphens"
    }
  }
}
