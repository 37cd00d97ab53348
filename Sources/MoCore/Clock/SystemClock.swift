import CMoSystem
import Glibc

/// A source of time for the package: the machine, a test, or the frames of an offline render.
///
/// It is not called `Clock`, since the `sleep` of Swift's `Clock` is `async`, and MoMu has no `async` code.
public protocol TimeSource: Sendable {
  /// The present moment.
  ///
  /// - Thread: any.
  /// - Real-time safe: yes. In the audio callback, prefer the block's own time.
  var now: HostTime { get }

  /// Waits until `time`; returns immediately if `time` has passed.
  ///
  /// - Thread: any but the audio thread's callback: it blocks.
  func sleep(until time: HostTime)
}

/// The machine's own clock, CLOCK_MONOTONIC_RAW: the source of all host times, except offline and in tests.
///
/// - Thread: any.
public struct SystemClock: TimeSource {
  /// Creates the clock; it holds no state.
  public init() {}

  /// The present moment, read from memory that the kernel shares, without a system call.
  @inlinable
  public var now: HostTime { HostTime(nanoseconds: momu_clock_ns(CLOCK_MONOTONIC_RAW)) }

  /// Sleeps until `time`.
  ///
  /// The system cannot sleep until a moment of this clock. So the function sleeps for a duration, at most an hour at a
  /// time, until `time` has come.
  public func sleep(until time: HostTime) {
    while true {
      let remaining = time.nanoseconds(since: now)
      guard remaining > 0 else { return }
      // At most an hour per step, so that the difference of the two clocks' rates does not add up on the way to a far
      // moment.
      let step = min(remaining, 3_600_000_000_000)
      var request = timespec(tv_sec: Int(step / 1_000_000_000), tv_nsec: Int(step % 1_000_000_000))
      _ = clock_nanosleep(CLOCK_MONOTONIC, 0, &request, nil)
    }
  }

  /// A clock of the kernel that stamps events.
  public enum Stamp: Sendable {
    /// CLOCK_MONOTONIC, which never jumps, although NTP adjusts its speed.
    ///
    /// evdev stamps events with this clock; ALSA does so if asked.
    case monotonic
    /// CLOCK_REALTIME, the wall clock that people read; it may jump.
    ///
    /// The kernel stamps network packets with this clock.
    case realtime
  }

  /// Returns the host time of a time stamp that the kernel took from another clock.
  ///
  /// The other clock is read between two reads of the host clock. MoMu measures three times. The measurement with the
  /// shortest time between the two reads counts, so an interruption between them does no harm. Convert a stamp as soon
  /// as you receive it, since the clocks drift apart.
  ///
  /// - Parameters:
  ///   - nanoseconds: the stamp, in nanoseconds of `clock`.
  ///   - clock: the clock that took the stamp.
  public func hostTime(of nanoseconds: Int64, on clock: Stamp) -> HostTime {
    HostTime(nanoseconds: nanoseconds &- offset(of: clock))
  }

  /// The time for which the machine has been suspended since boot, in nanoseconds.
  ///
  /// While the machine is suspended, the host clock stops. The value increases each time the machine wakes.
  public var slept: Int64 {
    var least = Int64.max
    for _ in 0..<3 {
      let monotonic = momu_clock_ns(CLOCK_MONOTONIC)
      least = min(least, momu_clock_ns(CLOCK_BOOTTIME) &- monotonic)
    }
    return least
  }

  /// Returns the wall-clock time of a host time, in nanoseconds since 1970 (UTC).
  ///
  /// The function uses the present offset between the wall clock and the host clock, also for a time in the past.
  public func wallClock(of time: HostTime) -> Int64 { time.nanoseconds &+ offset(of: .realtime) }

  /// Returns the nanoseconds by which `clock` is ahead of the host clock.
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
