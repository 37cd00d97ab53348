import MoCore

/// The reason why a replay of a tape failed; the text says what to do.
enum ReplayError: Error, CustomStringConvertible, Equatable {
  /// No member on the tape has the name that the user gave with `--player`; `there` lists the members' names on the
  /// tape.
  case nobody(String, there: [String])
  /// The tape has no strikes, notes, melodies, movement or drum patterns; the value is the tape's path.
  case nothingToPlay(String)
  /// No sound was played or rendered; the value names the output, such as a file.
  case silent(String)

  var description: String {
    switch self {
    case .nothingToPlay(let path):
      "nothing on \(path) can be played: no notes, strokes, movement or drums are on it. A tape has what members play while "
        + "momu session --record runs, and --hidden hears nothing; momu session replay \(path) --list shows what is on it"
    case .silent(let what):
      "\(what) is silent: nothing that is on the tape sounded; momu session replay FILE --list shows what is on it"
    case .nobody(let name, let there):
      "no player on this tape is called \"\(name)\""
        + (Spelling.nearest(to: name, among: there).map { ": did you mean \"\($0)\"?" }
          ?? (there.isEmpty ? "" : ": \(there.joined(separator: ", "))"))
    }
  }
}
