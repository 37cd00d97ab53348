/// What a member says of itself.
public struct SessionIdentity: Hashable, Sendable {
  /// Anew at each start of the program.
  public var member: MemberID
  /// The same for as long as this is installed: what `--conductor-only` goes by, since names can be borrowed.
  public var installation: MemberID
  /// For people; need not be unique.
  public var name: String
  /// Which program it runs.
  public var program: String
  /// Which release of it.
  public var release: String

  /// An identity; texts are cut to 40 characters, and control characters left out.
  public init(member: MemberID, installation: MemberID, name: String, program: String, release: String) {
    (self.member, self.installation) = (member, installation)
    self.name = Self.tidy(name)
    self.program = Self.tidy(program)
    self.release = Self.tidy(release)
  }

  /// A text as it may stand in somebody's terminal.
  static func tidy(_ text: String) -> String {
    let shown = text.unicodeScalars.filter { $0.properties.generalCategory != .control && $0.value != 0xFFFD }
    return String(String(String.UnicodeScalarView(shown)).prefix(40))
  }
}
