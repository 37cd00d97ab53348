import Glibc
import MoCore

/// A first-order low-pass filter, exact for readings at any intervals.
///
/// Each value holds until the next value. So at time t after a step, the output has covered the share 1 − e^(−t/τ) of
/// the step.
struct Smoothing: Sendable {
  private let tau: Double
  private var target: [Float] = []
  private var value: [Float] = []
  private var time = HostTime.zero
  /// The time at which the target values last changed.
  private var since = HostTime.zero

  /// The number of time constants τ after which a step counts as finished: less than a thousandth of the step remains.
  private static let end = 7.0

  /// - Parameter seconds: the time after a step until the output has covered 95 % of the step; this is 3 τ.
  init(_ seconds: Double) { tau = seconds / 3 }

  /// Sets the target values, which the output approaches.
  mutating func take(_ values: [Float], at now: HostTime) {
    guard values.count == target.count else {
      (target, value, time, since) = (values, values, now, now)
      return
    }
    advance(to: now)
    // A repeated value is not a new step. Otherwise a board that repeats itself would never settle.
    if values != target { (target, since) = (values, now) }
  }

  /// Returns the present value, and whether it has reached the target.
  mutating func value(at now: HostTime) -> (value: [Float], isSettled: Bool) {
    advance(to: now)
    if now >= settled { value = target }
    return (value, now >= settled || value == target)
  }

  /// The time at which the output reaches the target, if no new value arrives.
  var settled: HostTime { since.advanced(bySeconds: Smoothing.end * tau) }

  private mutating func advance(to now: HostTime) {
    let left = Float(exp(-max(0, now.seconds(since: time)) / tau))
    for index in value.indices {
      let next = target[index] + (value[index] - target[index]) * left
      // NaN and infinity end with the reading that contained them.
      value[index] = next.isFinite ? next : target[index]
    }
    time = max(time, now)
  }
}
