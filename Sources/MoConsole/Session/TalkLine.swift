import MoSessionCore

/// The text that shows a message from player to player, the same in all programs.
package enum TalkLine {
  /// Returns the text of a received message: `Ada: softer please`, `Ada to you: softer please`.
  package static func heard(_ text: SessionText, from name: String) -> String {
    let aim =
      switch text.audience {
      case .all: ""
      case .one: " to you"
      case .section: " to your section"
      }
    return "\(name.printable)\(aim): \(text.words.printable)"
  }

  /// Returns the text of a sent message, such as `you to Ben: softer please`.
  ///
  /// - Parameter names: the members that do not receive the message because of the gates; the text lists them.
  package static func sent(_ words: String, to aim: String, keptFrom names: [String]) -> String {
    let line = "you to \(aim.printable): \(SessionText(words).words.printable)"
    return names.isEmpty
      ? line : line + " (the gates keep it from \(names.joined(separator: ", ").printable))"
  }
}
