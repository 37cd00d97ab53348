/// A moment as OSC writes it: an NTP time stamp, in units of 2⁻³² s (0.23 ns) since 1900, UTC.
///
/// The 32 bits of seconds overflow on 7 February 2036. As in RFC 4330 (2006), section 3, the highest bit tells
/// whether the moment is before or after that day. So a tag names a moment from 20 January 1968 to 26 February
/// 2104.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct OSCTimeTag: Hashable, Sendable, BitwiseCopyable {
  /// The 64 bits as sent: seconds in the upper half, the fraction in the lower.
  public var rawValue: UInt64

  /// Creates a tag from its 64 bits.
  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The special value for "immediately on arrival"; it is not a moment.
  public static let immediate = OSCTimeTag(rawValue: 1)

  /// The whole seconds since 1900, modulo 2³².
  @inlinable
  public var seconds: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 32) }

  /// The fraction of the second, in units of 2⁻³² s.
  @inlinable
  public var fraction: UInt32 { UInt32(truncatingIfNeeded: rawValue) }

  /// The number of seconds from 1900 to 1970; 17 of these 70 years were leap years.
  @usableFromInline static let secondsTo1970: Int64 = (70 * 365 + 17) * 86_400

  /// Creates the moment from its nanoseconds after 1 January 1970, UTC, rounded to the nearest 2⁻³² s.
  @inlinable
  public init(nanosecondsSince1970 nanoseconds: Int64) {
    let epoch = OSCTimeTag(rawValue: UInt64(Self.secondsTo1970) << 32)
    self = epoch.advanced(byNanoseconds: nanoseconds)
  }

  /// The nanoseconds since 1 January 1970, UTC, rounded to a whole number; negative for a moment before 1970.
  ///
  /// A tag that was created from nanoseconds returns exactly the same number. The value is meaningless for `immediate`.
  @inlinable
  public var nanosecondsSince1970: Int64 {
    let era: Int64 = seconds < 0x8000_0000 ? 1 << 32 : 0
    let rest = (UInt64(fraction) * 1_000_000_000 + 0x8000_0000) >> 32
    return (Int64(seconds) + era - Self.secondsTo1970) * 1_000_000_000 + Int64(rest)
  }

  /// Returns a moment that is later by `nanoseconds` (earlier if negative), rounded to the nearest 2⁻³² s.
  @inlinable
  public func advanced(byNanoseconds nanoseconds: Int64) -> OSCTimeTag {
    let billion: Int64 = 1_000_000_000
    var whole = nanoseconds / billion
    var rest = nanoseconds % billion
    if rest < 0 {
      whole -= 1
      rest += billion
    }
    let fraction = (UInt64(rest) << 32 + UInt64(billion / 2)) / UInt64(billion)
    return OSCTimeTag(rawValue: rawValue &+ UInt64(bitPattern: whole << 32) &+ fraction)
  }

  /// Returns the nanoseconds from `other` to this moment, as a whole number; negative if this moment is earlier.
  ///
  /// The result is correct for up to 68 years in either direction, even if the seconds overflow in 2036. Of the two
  /// possible distances, the result is the shorter.
  @inlinable
  public func nanoseconds(since other: OSCTimeTag) -> Int64 {
    let steps = Int64(bitPattern: rawValue &- other.rawValue)
    let rest = (UInt64(truncatingIfNeeded: steps & 0xFFFF_FFFF) * 1_000_000_000 + 0x8000_0000) >> 32
    return (steps >> 32) * 1_000_000_000 + Int64(rest)
  }
}
