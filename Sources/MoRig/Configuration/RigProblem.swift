/// A mistake in a configuration, with the text to write instead.
package struct RigProblem: Error, CustomStringConvertible, Equatable, Sendable {
  package var file: String
  /// The number of the line with the mistake, from 1; 0 if the mistake concerns no single line.
  package var line: Int
  package var text: String

  package var description: String { line > 0 ? "\(file):\(line): \(text)" : "\(file): \(text)" }
}

/// All mistakes of a configuration together, so that a user can correct them at once, and takes a Raspberry Pi's card
/// out only once.
package struct RigProblems: Error, CustomStringConvertible, Equatable {
  package var list: [RigProblem]

  package init(list: [RigProblem]) { self.list = list }

  package var description: String {
    list.map(\.description).joined(separator: "\n")
  }
}

/// The result of reading a configuration: its valid parts, and its mistakes.
package struct RigReading: Equatable, Sendable {
  package var file: String
  /// The valid parts: all sensors and outputs without a mistake, and the valid settings of `[rig]`.
  package var configuration: RigConfiguration
  package var problems: [RigProblem]

  /// Returns the reading of a configuration that could not be read at all.
  package static func unreadable(_ problem: RigProblem) -> RigReading {
    RigReading(file: problem.file, configuration: RigConfiguration(), problems: [problem])
  }
}
