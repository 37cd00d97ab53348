import MoSessionCore

/// A line of a player as all programs show it.
package enum TalkLine {
  /// A line that has come: `Ada: softer please`, `Ada to you: softer please`.
  package static func heard(_ text: SessionText, from name: String) -> String {
    let aim =
      switch text.audience {
      case .all: ""
      case .one: " to you"
      case .section: " to your section"
      }
    return "\(name.printable)\(aim): \(text.words.printable)"
  }

  /// A line that was sent: `you to Ben: softer please`, and from which members the gates keep it.
  package static func sent(_ words: String, to aim: String, keptFrom names: [String]) -> String {
    let line = "you to \(aim.printable): \(SessionText(words).words.printable)"
    return names.isEmpty
      ? line : line + " (the gates keep it from \(names.joined(separator: ", ").printable))"
  }
}
