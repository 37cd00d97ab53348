/// A moment on the clock that a room of machines shares: nanoseconds since a zero that its founder chose.
///
/// Each member maps it to its own `HostTime`; see `BeatClock`.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct SessionTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the shared clock's zero.
  public var nanoseconds: Int64

  /// A moment given in nanoseconds since the shared clock's zero.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Seconds from `other` to this moment; negative if this one is earlier.
  @inlinable
  public func seconds(since other: SessionTime) -> Double {
    Double(nanoseconds &- other.nanoseconds) * 1e-9
  }

  /// The moment so many seconds later, or earlier where negative; what is beyond 146 years counts as that.
  @inlinable
  public func advanced(bySeconds seconds: Double) -> SessionTime {
    SessionTime(nanoseconds: nanoseconds &+ Int64(reckoning: (seconds * 1e9).rounded()))
  }

  /// Whether `left` comes before `right`.
  @inlinable
  public static func < (left: SessionTime, right: SessionTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}

extension Int64 {
  /// A number as near as can be reckoned with: within ±2⁶², and 0 for what is none.
  @inlinable
  init(reckoning value: Double) {
    self = value.isNaN ? 0 : Int64(Swift.min(Swift.max(value, -0x1p62), 0x1p62))
  }
}
