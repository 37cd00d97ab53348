import MoRuntime

/// Why a tape is not played; the text says what to do.
enum ReplayError: Error, CustomStringConvertible, Equatable {
  case nobody(String, there: [String])

  var description: String {
    switch self {
    case .nobody(let name, let there):
      "nobody called \"\(name)\" is on this tape"
        + (Spelling.nearest(to: name, among: there).map { ": did you mean \"\($0)\"?" }
          ?? (there.isEmpty ? "" : ": \(there.joined(separator: ", "))"))
    }
  }
}
