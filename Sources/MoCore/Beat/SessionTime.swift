/// A moment on the clock that the machines of a room share: nanoseconds since a zero that the room's founder chose.
///
/// Each member maps the moment to its own `HostTime`; see `BeatClock`.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct SessionTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the shared clock's zero.
  public var nanoseconds: Int64

  /// Creates a moment given in nanoseconds since the shared clock's zero.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Returns the seconds from `other` to this moment; negative if this moment is earlier.
  @inlinable
  public func seconds(since other: SessionTime) -> Double {
    Double(nanoseconds &- other.nanoseconds) * 1e-9
  }

  /// Returns the moment that is `seconds` later, or earlier if `seconds` is negative.
  ///
  /// More than 146 years is clamped; NaN counts as 0. A result outside the range of `Int64` wraps around.
  @inlinable
  public func advanced(bySeconds seconds: Double) -> SessionTime {
    SessionTime(nanoseconds: nanoseconds &+ Int64(reckoning: (seconds * 1e9).rounded()))
  }

  /// Returns whether `left` comes before `right`.
  @inlinable
  public static func < (left: SessionTime, right: SessionTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Int64 {
  /// Converts a number to an integer, rounded towards zero and clamped to ±2⁶²; NaN becomes 0.
  @inlinable
  init(reckoning value: Double) {
    self = value.isNaN ? 0 : Int64(Swift.min(Swift.max(value, -0x1p62), 0x1p62))
  }
}
