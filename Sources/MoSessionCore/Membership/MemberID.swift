/// A member's ID, the same from the start to the end of its program: 64 random bits, so that no two are equal.
///
/// Only the ID identifies a member: its address is only a hint, and its name is for people.
@frozen
public struct MemberID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The bits; 0 means no member.
  public let bits: UInt64

  /// Creates an ID from its bits.
  @inlinable
  public init(_ bits: UInt64) { self.bits = bits }

  /// The ID of no member.
  public static let nobody = MemberID(0)

  /// Returns whether `left` sorts before `right`.
  @inlinable
  public static func < (left: MemberID, right: MemberID) -> Bool { left.bits < right.bits }
}

extension MemberID: CustomStringConvertible {
  /// The ID as sixteen hexadecimal digits, as `--conductor-only` expects it.
  public var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Parses up to sixteen hexadecimal digits; nil for other text, and for 0.
  public init?(_ text: String) {
    guard text.utf8.count <= 16, let bits = UInt64(text, radix: 16), bits != 0 else { return nil }
    self.init(bits)
  }
}
