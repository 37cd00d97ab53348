import MoCore

/// A member's data about itself.
public struct SessionIdentity: Hashable, Sendable {
  /// The member's ID, new at each start of the program.
  public var member: MemberID
  /// The installation's ID, which stays the same when the program restarts.
  ///
  /// `--conductor-only` uses this ID instead of a name, since any member can use another member's name.
  public var installation: MemberID
  /// The name that people see; several members may have the same name.
  public var name: String
  /// The name of the member's program, such as `Orchestra`.
  public var program: String
  /// The program's release.
  public var release: String
  /// A number that identifies the machine since it booted, the same for all programs on it; 0 if unknown.
  ///
  /// If programs of one installation have different numbers, their machines have copied disks or home folders.
  public var machine: UInt64
  /// The time at which the program joined, in seconds since 1970 by its machine's calendar clock.
  public var started: Int64 = 0

  /// Creates an identity; texts are cut to 40 characters, and control and format characters are removed.
  public init(
    member: MemberID, installation: MemberID, name: String, program: String, release: String,
    machine: UInt64 = 0
  ) {
    (self.member, self.installation, self.machine) = (member, installation, machine)
    self.name = Self.sanitized(name)
    self.program = Self.sanitized(program)
    self.release = Self.sanitized(release)
  }

  /// Returns the text, made safe for a terminal: no control or format characters, and at most `most` characters.
  ///
  /// The result also has at most `3 * most` Unicode scalars, since a character can have any number of combining marks.
  package static func sanitized(_ text: String, most: Int = 40) -> String {
    if text.utf8.count <= most, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    let shown = text.unicodeScalars.lazy.filter { !isUnsafe($0) }.prefix(3 * most)
    return String(String(String.UnicodeScalarView(shown)).prefix(most))
  }

  /// Returns whether a character is a control or format character, a line separator, or U+FFFD; names have none of
  /// these.
  ///
  /// These characters move the cursor, break the line, reverse the writing direction, or make two names look the same.
  package static func isUnsafe(_ character: Unicode.Scalar) -> Bool {
    switch character.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: character.value == 0xFFFD
    }
  }
}

extension String {
  /// Returns whether the text is a name of 1 to `most` bytes in UTF-8, without control or format characters.
  func isPlain(most: Int) -> Bool {
    !isEmpty && utf8.count <= most && !unicodeScalars.contains(where: SessionIdentity.isUnsafe)
  }
}

/// Members on different machines that have the same installation, since their disks or home folders are copies.
///
/// This is a problem, because gates, sections, `--conductor-only` and `ignore` refer to installations.
public struct SharedInstallation: Hashable, Sendable {
  /// The installation that the members share.
  public var installation: MemberID
  /// The IDs of the members that share the installation.
  public var members: [MemberID]

  package init(installation: MemberID, members: [MemberID]) {
    (self.installation, self.members) = (installation, members)
  }
}
