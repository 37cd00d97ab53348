/// A moment on this machine's own clock: nanoseconds of CLOCK_MONOTONIC_RAW.
///
/// The clock starts near boot and never steps, and its speed is never adjusted. So the difference of two moments is a
/// true duration. A moment has no meaning on another machine.
///
/// - Thread: any.
/// - Real-time safe: yes.
@frozen
public struct HostTime: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Nanoseconds since the clock's own zero.
  public var nanoseconds: Int64

  /// Creates a moment given in nanoseconds since the clock's own zero.
  @inlinable
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Creates a moment given in seconds since the clock's own zero.
  ///
  /// More than 146 years is clamped; NaN counts as 0.
  @inlinable
  public init(seconds: Double) { nanoseconds = Int64(reckoning: (seconds * 1e9).rounded()) }

  /// The clock's own zero: a `ManualClock` and the clock of an offline run start at this moment.
  public static let zero = HostTime(nanoseconds: 0)

  /// The latest moment that this type can hold, later than any time of the clock.
  public static let distantFuture = HostTime(nanoseconds: .max)

  /// The earliest moment that this type can hold, earlier than any time of the clock.
  public static let distantPast = HostTime(nanoseconds: .min)

  /// Seconds since the clock's own zero; exact to a nanosecond for the first 104 days.
  @inlinable
  public var seconds: Double { Double(nanoseconds) * 1e-9 }

  /// Returns the nanoseconds from `other` to this moment; negative if this moment is earlier.
  ///
  /// The result is clamped to the range of `Int64`. So its sign is right even for `distantPast` and `distantFuture`.
  @inlinable
  public func nanoseconds(since other: HostTime) -> Int64 {
    let (span, isTooLong) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
    return isTooLong ? (nanoseconds < other.nanoseconds ? .min : .max) : span
  }

  /// Returns the seconds from `other` to this moment; negative if this moment is earlier.
  @inlinable
  public func seconds(since other: HostTime) -> Double { Double(nanoseconds(since: other)) * 1e-9 }

  /// Returns the moment that is `seconds` later, or earlier if `seconds` is negative.
  ///
  /// More than 146 years is clamped; NaN counts as 0. The result is clamped to `distantPast` … `distantFuture`.
  @inlinable
  public func advanced(bySeconds seconds: Double) -> HostTime {
    advanced(byNanoseconds: Int64(reckoning: (seconds * 1e9).rounded()))
  }

  /// Returns the moment that is `count` nanoseconds later, or earlier if `count` is negative.
  ///
  /// The result is clamped to `distantPast` … `distantFuture`.
  @inlinable
  public func advanced(byNanoseconds count: Int64) -> HostTime {
    let (sum, isTooFar) = nanoseconds.addingReportingOverflow(count)
    return HostTime(nanoseconds: isTooFar ? (count < 0 ? .min : .max) : sum)
  }

  /// Returns whether `left` comes before `right`.
  @inlinable
  public static func < (left: HostTime, right: HostTime) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Returns the moment that is the duration `right` later than `left`, clamped to `distantPast` … `distantFuture`.
  @inlinable
  public static func + (left: HostTime, right: Duration) -> HostTime {
    left.advanced(byNanoseconds: right.nanoseconds)
  }

  /// Returns the moment that is the duration `right` earlier than `left`, clamped to `distantPast` … `distantFuture`.
  @inlinable
  public static func - (left: HostTime, right: Duration) -> HostTime {
    let (difference, isTooFar) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return HostTime(nanoseconds: isTooFar ? (right.nanoseconds < 0 ? .max : .min) : difference)
  }

  /// Returns the duration from `right` to `left`.
  @inlinable
  public static func - (left: HostTime, right: HostTime) -> Duration {
    .nanoseconds(left.nanoseconds(since: right))
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded towards zero.
  ///
  /// The result is clamped to the range of `Int64`, which is 292 years in each direction.
  @inlinable
  public var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isTooFar) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLong || isTooFar ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration in seconds, with fractions.
  @inlinable
  public var inSeconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
