import Glibc
import MoCore

/// Follows values through a low-pass filter of first order, exactly, however unevenly they come.
///
/// A value holds until the next one, so after a step at time 0 this is 1 − e^(−t/τ) of the way at every t.
struct Smoothing: Sendable {
  private let tau: Double
  private var target: [Float] = []
  private var value: [Float] = []
  private var time = HostTime.zero
  /// When the target was set.
  private var since = HostTime.zero

  /// After so many τ what is left of a step is under a thousandth, and counts as none.
  private static let end = 7.0

  /// - Parameter seconds: in which a step is followed but for 5 %: three τ.
  init(_ seconds: Double) { tau = seconds / 3 }

  /// Takes new values to follow.
  mutating func take(_ values: [Float], at now: HostTime) {
    guard values.count == target.count else {
      (target, value, time, since) = (values, values, now, now)
      return
    }
    advance(to: now)
    // The same again is no news: else a board that repeats itself would never be at rest.
    if values != target { (target, since) = (values, now) }
  }

  /// Where it is by now, and whether it is at the end of its way.
  mutating func value(at now: HostTime) -> (value: [Float], isSettled: Bool) {
    advance(to: now)
    if now >= settled { value = target }
    return (value, now >= settled || value == target)
  }

  /// When it is at rest, if nothing more comes.
  var settled: HostTime { since.advanced(bySeconds: Smoothing.end * tau) }

  private mutating func advance(to now: HostTime) {
    let left = Float(exp(-max(0, now.seconds(since: time)) / tau))
    for index in value.indices {
      let next = target[index] + (value[index] - target[index]) * left
      // What was no number is over with the reading that said it.
      value[index] = next.isFinite ? next : target[index]
    }
    time = max(time, now)
  }
}
