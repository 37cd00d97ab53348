/// What is wrong in a configuration, and what to write instead.
package struct RigProblem: Error, CustomStringConvertible, Equatable {
  package var file: String
  /// From 1; 0 where it is no line's.
  package var line: Int
  package var text: String

  package var description: String { line > 0 ? "\(file):\(line): \(text)" : "\(file): \(text)" }
}

/// All that is wrong in a configuration: who walks to a rig with a card in hand wants to walk once.
package struct RigProblems: Error, CustomStringConvertible, Equatable {
  package var list: [RigProblem]

  package var description: String {
    list.map(\.description).joined(separator: "\n")
  }
}
