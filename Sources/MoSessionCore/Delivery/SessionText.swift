import MoCore

/// A line of text that a player types for other players.
public struct SessionText: Hashable, Sendable {
  /// The members for which a line is meant.
  public enum Audience: Int32, CaseIterable, Sendable {
    /// All members in the room.
    case all = 0
    /// A single member: the receiver.
    case one = 1
    /// A section that the receiver is in.
    case section = 2
  }

  /// The largest number of characters in a line; `MoSession.say` refuses longer lines.
  public static let most = 200
  /// The largest number of UTF-8 bytes in a line, so that a line in any script fits in a datagram.
  static let mostBytes = 800
  /// The largest number of lines from a sender in a second; the sender refuses further lines, and receivers drop them.
  static let fastest = 4

  /// The typed text: one line, without control and format characters.
  public var words: String
  /// The members for which the line is meant.
  public var audience: Audience

  /// Creates a line from `words`, without control and format characters and cut to `most` characters.
  public init(_ words: String, for audience: Audience = .all) {
    var words = SessionIdentity.sanitized(words, most: Self.most)
    while words.utf8.count > Self.mostBytes { words.removeLast() }
    (self.words, self.audience) = (words, audience)
  }
}

extension SessionCore {
  /// Sends a line of text to other players.
  ///
  /// A closed gate for notes also blocks lines of text. A call for silence or a muted section does not block them:
  /// players must be able to talk then.
  ///
  /// - Returns: the names of the members that do not receive the line because of closed gates.
  /// - Throws: `SessionRefusal.emptyText`, `longText`, `hastyText`, `unheardText`, `alone`, and the errors of `play`.
  @discardableResult
  package mutating func sendText(
    _ words: String, to aim: SessionAim, now: HostTime
  ) throws(SessionRefusal) -> [String] {
    guard words.count <= SessionText.most else { throw .longText(characters: words.count) }
    let audience: SessionText.Audience =
      switch aim {
      case .crowd, .recorders: .all
      case .one: .one
      case .section: .section
      }
    let text = SessionText(words, for: audience)
    guard text.words.contains(where: { $0 != " " }) else { throw .emptyText }
    let others = try receivers(of: aim, now: now).filter { $0 != me }
    guard !others.isEmpty else { throw .alone }
    let kept = others.filter { id in
      let theirs = members[id]?.identity.installation ?? .nobody
      return state.policy.gates.weight(.notes, from: settings.identity.installation, to: theirs) == 0
    }
    let names = kept.map { displayName(of: $0) ?? "\($0)" }
    guard kept.count < others.count else { throw .unheardText(names) }
    guard delivery.texts.allows(at: now, most: SessionText.fastest) else { throw .hastyText }
    try play(.text(text), to: aim, now: now)
    return names
  }
}
