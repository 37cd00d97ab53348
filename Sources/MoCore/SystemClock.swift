import CMoSystem
import Glibc

/// The machine's own clock, CLOCK_MONOTONIC_RAW: the only place in the package that asks the system for time.
///
/// - Thread: any.
public struct SystemClock: TimeSource {
  /// The one there is; it holds nothing.
  public init() {}

  /// The moment it is now, read without a system call through the kernel's shared page.
  @inlinable
  public var now: HostTime { HostTime(nanoseconds: momu_clock_ns(CLOCK_MONOTONIC_RAW)) }

  /// Sleeps until `time`, in relative steps, since the raw clock cannot be slept on directly.
  public func sleep(until time: HostTime) {
    while true {
      let remaining = time.nanoseconds(since: now)
      guard remaining > 0 else { return }
      // At most an hour a step, so that a far moment does not gather the difference of the two clocks' rates.
      let step = min(remaining, 3_600_000_000_000)
      var request = timespec(tv_sec: Int(step / 1_000_000_000), tv_nsec: Int(step % 1_000_000_000))
      _ = clock_nanosleep(CLOCK_MONOTONIC, 0, &request, nil)
    }
  }

  /// A clock of the kernel's that stamps events.
  public enum Stamp: Sendable {
    /// CLOCK_MONOTONIC: evdev and ALSA when asked; slewed by NTP, never stepped.
    case monotonic
    /// CLOCK_REALTIME: network packets, and the wall clock that people read; may step.
    case realtime
  }

  /// The host time of a kernel stamp of another clock.
  ///
  /// The other clock is read between two readings of the host clock, and the tightest of three such brackets
  /// is used, so that being interrupted in between does not count. Convert at receipt: the clocks drift apart.
  ///
  /// - Parameter nanoseconds: the stamp, in nanoseconds of `clock`.
  public func hostTime(of nanoseconds: Int64, on clock: Stamp) -> HostTime {
    HostTime(nanoseconds: nanoseconds &- offset(of: clock))
  }

  /// How long the machine has slept since it was started, in nanoseconds; a change says that it just did.
  ///
  /// Asleep, the host clock stands still.
  public var slept: Int64 {
    var least = Int64.max
    for _ in 0..<3 {
      let monotonic = momu_clock_ns(CLOCK_MONOTONIC)
      least = min(least, momu_clock_ns(CLOCK_BOOTTIME) &- monotonic)
    }
    return least
  }

  /// The wall-clock time of a host time, in nanoseconds since 1970 (UTC), as the clocks stand now.
  public func wallClock(of time: HostTime) -> Int64 { time.nanoseconds &+ offset(of: .realtime) }

  /// How far `clock` is ahead of the host clock, in nanoseconds.
  private func offset(of clock: Stamp) -> Int64 {
    let other = clock == .monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME
    var narrowest = Int64.max
    var offset: Int64 = 0
    for _ in 0..<3 {
      let before = momu_clock_ns(CLOCK_MONOTONIC_RAW)
      let stamp = momu_clock_ns(other)
      let after = momu_clock_ns(CLOCK_MONOTONIC_RAW)
      if after &- before < narrowest {
        narrowest = after &- before
        offset = stamp &- (before &+ (after &- before) / 2)
      }
    }
    return offset
  }
}
