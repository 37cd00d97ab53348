import MoCore

/// The reason why a tape is not played; the text says what to do.
enum ReplayError: Error, CustomStringConvertible, Equatable {
  case nobody(String, there: [String])
  /// The tape has no strokes, notes, melodies, movement or drums.
  case nothingToPlay(String)
  /// The rendered sound is silent.
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
