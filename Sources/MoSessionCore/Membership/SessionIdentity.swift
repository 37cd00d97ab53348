import MoCore

/// What a member says of itself.
public struct SessionIdentity: Hashable, Sendable {
  /// Anew at each start of the program.
  public var member: MemberID
  /// The same for as long as this is installed: `--conductor-only` names it, since names can be borrowed.
  public var installation: MemberID
  /// For people; need not be unique.
  public var name: String
  /// Which program it runs.
  public var program: String
  /// Which release of it.
  public var release: String
  /// The machine's start, the same for all programs on it; 0 if that is not known.
  ///
  /// Programs of one installation with different numbers run on machines whose disks or homes are copies.
  public var machine: UInt64
  /// When the program joined, in seconds since 1970 by its machine's calendar.
  public var started: Int64 = 0

  /// An identity; texts are cut to 40 characters, and control and format characters left out.
  public init(
    member: MemberID, installation: MemberID, name: String, program: String, release: String,
    machine: UInt64 = 0
  ) {
    (self.member, self.installation, self.machine) = (member, installation, machine)
    self.name = Self.tidy(name)
    self.program = Self.tidy(program)
    self.release = Self.tidy(release)
  }

  /// A text that is safe in a terminal, cut to a number of characters, however many marks are heaped on them.
  package static func tidy(_ text: String, most: Int = 40) -> String {
    if text.utf8.count <= most, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    let shown = text.unicodeScalars.lazy.filter { !isUnfit($0) }.prefix(3 * most)
    return String(String(String.UnicodeScalarView(shown)).prefix(most))
  }

  /// Whether a character would do more than stand there: move the cursor, break the line, turn the writing round, or make
  /// two names look the same.
  package static func isUnfit(_ character: Unicode.Scalar) -> Bool {
    switch character.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: character.value == 0xFFFD
    }
  }
}

extension String {
  /// Whether it is a short name that does nothing but stand there.
  func isPlain(most: Int) -> Bool {
    !isEmpty && utf8.count <= most && !unicodeScalars.contains(where: SessionIdentity.isUnfit)
  }
}

/// A member's identity from start to end of a program: 64 random bits, so that two are never the same.
///
/// Addresses are only hints; names are for people.
@frozen
public struct MemberID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The bits; 0 stands for nobody.
  public let bits: UInt64

  /// An identity from its bits.
  @inlinable
  public init(_ bits: UInt64) { self.bits = bits }

  /// Nobody.
  public static let nobody = MemberID(0)

  /// Whether `left` comes before `right` in line.
  @inlinable
  public static func < (left: MemberID, right: MemberID) -> Bool { left.bits < right.bits }
}

extension MemberID: CustomStringConvertible {
  /// Sixteen hexadecimal digits, as `--conductor-only` takes them.
  public var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Reads up to sixteen hexadecimal digits; nil for other text, and for 0.
  public init?(_ text: String) {
    guard text.utf8.count <= 16, let bits = UInt64(text, radix: 16), bits != 0 else { return nil }
    self.init(bits)
  }
}

/// Members on different machines that have one installation, since their disks or homes are copies.
///
/// Gates, sections, `--conductor-only` and ignored members are told apart by installations.
public struct SharedInstallation: Hashable, Sendable {
  /// Which they share.
  public var installation: MemberID
  /// Who they are, by their identities.
  public var members: [MemberID]
}
