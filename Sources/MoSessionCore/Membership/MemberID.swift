/// Who somebody is from start to end of a program: 64 random bits, so that two are never the same.
///
/// Addresses are only hints of where a member is; names are for people.
@frozen
public struct MemberID: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The bits; 0 stands for nobody.
  public let bits: UInt64

  /// An identity from its bits.
  @inlinable
  public init(_ bits: UInt64) { self.bits = bits }

  /// Nobody.
  public static let nobody = MemberID(0)

  /// Whether `left` comes before `right` where members stand in line.
  @inlinable
  public static func < (left: MemberID, right: MemberID) -> Bool { left.bits < right.bits }
}

extension MemberID: CustomStringConvertible {
  /// Sixteen hexadecimal digits, as `--conductor-only` takes them.
  public var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Reads up to sixteen hexadecimal digits; nil where they are none, or name nobody.
  public init?(_ text: String) {
    guard text.utf8.count <= 16, let bits = UInt64(text, radix: 16), bits != 0 else { return nil }
    self.init(bits)
  }
}
