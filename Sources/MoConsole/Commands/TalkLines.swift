import MoMu
import MoOrchestra
import MoSessionCore

/// The commands for texts to other players: `say softer please` to all, `tell Ada softer please` to a single member.
enum TalkLines {
  /// The first words of the commands that send a text.
  static let words = ["say", "tell"]

  /// Executes a command that sends a text, and shows the sent text.
  ///
  /// - Parameters:
  ///   - word: the first word of the line, one of `words`.
  ///   - line: the whole line, since the text keeps its quotes and spaces.
  static func execute(_ word: String, _ line: String) throws {
    // Ctrl-T begins a line with "say": a private line typed after it must not go to all.
    let isMeantForOne = word == "say" && SessionLines.split(line, most: 3).dropFirst().first == "tell"
    if isMeantForOne { return try execute("tell", SessionLines.split(line, most: 2)[1]) }
    guard word == "tell" else {
      return try say(SessionLines.split(line, most: 2).dropFirst().first ?? "", to: .crowd(.others), "all")
    }
    var words = Array(SessionLines.split(line, most: 3).dropFirst())
    var aim: (String) -> SessionAim = { .member($0) }
    if words.first == "section" {
      words = Array(SessionLines.split(line, most: 4).dropFirst(2))
      aim = { .section($0) }
    }
    guard words.count == 2 else {
      throw SessionLines.LineError.value(
        "tell", "a name, or section and its name, and a line, such as tell Ada softer please")
    }
    try say(words[1], to: aim(words[0]), words[0])
  }

  private static func say(_ words: String, to aim: SessionAim, _ name: String) throws {
    let kept = try MoSession.say(words, to: aim)
    MoLog.log(.notice, TalkLine.sent(words, to: name, keptFrom: kept))
  }
}

/// The text that shows a message from player to player, the same in all programs.
package enum TalkLine {
  /// Returns the text of a received message: `Ada: softer please`, `Ada to you: softer please`.
  package static func received(_ text: SessionText, from name: String) -> String {
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
