/// What is wrong in a configuration, and what to write instead.
package struct RigProblem: Error, CustomStringConvertible, Equatable, Sendable {
  package var file: String
  /// From 1; 0 where it is no line's.
  package var line: Int
  package var text: String

  package var description: String { line > 0 ? "\(file):\(line): \(text)" : "\(file): \(text)" }
}

/// All that is wrong in a configuration, so that a user takes the card to the rig only once.
package struct RigProblems: Error, CustomStringConvertible, Equatable {
  package var list: [RigProblem]

  package init(list: [RigProblem]) { self.list = list }

  package var description: String {
    list.map(\.description).joined(separator: "\n")
  }
}

/// What was read of a configuration: what is right in it, and what is wrong.
package struct RigReading: Equatable, Sendable {
  package var file: String
  /// The sensors without a mistake; all else that is right.
  package var configuration: RigConfiguration
  package var problems: [RigProblem]

  /// A configuration that could not be read at all.
  package static func unreadable(_ problem: RigProblem) -> RigReading {
    RigReading(file: problem.file, configuration: RigConfiguration(), problems: [problem])
  }
}
