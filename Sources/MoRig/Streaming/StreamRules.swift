import Glibc
import MoCore

/// The rules that decide which readings of a sensor are sent, and when: they smooth, limit the rate, and skip unchanged
/// values.
///
/// A reading is valid until the next reading, since the kernel reports changes only. So a value that the rate or the
/// smoothing delayed is sent when it is due (`nextTime`, `due(at:)`). Thus the last value that a receiver gets is the
/// true value, except for differences within the dead band.
///
/// `StreamRules` uses no clock: the caller passes the time. It stores only the latest reading.
package struct StreamRules: Sendable {
  /// The settings of the rules, as a configuration gives them; nil for a rule that does not apply.
  package struct Settings: Equatable, Sendable {
    /// The largest number of messages per second.
    package var rate: Double?
    /// The dead band, in the unit of the readings: a value is sent only if it differs by more than this from the last
    /// value sent.
    var deadBand: Double?
    /// Seconds after a sudden change of the value until the smoothed value has covered 95 % of this change.
    var smooth: Double?
    /// The number of seconds after the last message at which an unchanged value is sent again.
    var again: Double?

    package init(rate: Double? = nil, deadBand: Double? = nil, smooth: Double? = nil, again: Double? = nil) {
      (self.rate, self.deadBand, self.smooth, self.again) = (rate, deadBand, smooth, again)
    }

    var isEmpty: Bool { self == Settings() }
  }

  private var pacer: MessagePacer?
  private var band: DeadBand
  private var smoothing: Smoothing?
  private let again: Int64?
  /// The values of the latest reading.
  private var values: [Float] = []
  private var isPending = false
  /// Whether the source of the readings was lost after the latest reading, so that there is no present value.
  private var isLost = false
  private var latest = HostTime.zero
  private var lastSent: HostTime?

  /// The longest delay after `nextTime` with which a message may be sent, in nanoseconds.
  package var slack: Int64 { pacer?.slack ?? 0 }

  package init(_ settings: Settings) {
    pacer = settings.rate.map { MessagePacer($0) }
    band = DeadBand(settings.deadBand.map { Float($0) })
    smoothing = settings.smooth.map { Smoothing($0) }
    again = settings.again.map { Int64($0 * 1e9) }
  }

  /// Handles a reading; returns the values to send now, or nil to send nothing now.
  package mutating func filter(_ reading: [Float], at time: HostTime) -> [Float]? {
    let time = max(time, latest)
    values = reading
    latest = time
    isPending = true
    isLost = false
    smoothing?.add(reading, at: time)
    return due(at: time)
  }

  /// Returns the values that are to be sent now, because they were delayed, smoothed or must be repeated; nil for none.
  package mutating func due(at now: HostTime) -> [Float]? {
    guard !values.isEmpty, pacer?.allows(now) ?? true else { return nil }
    if isPending {
      let (smoothed, isSettled) = smoothing?.value(at: now) ?? (values, true)
      isPending = !isSettled
      if band.isOutside(smoothed) { return send(smoothed, at: now) }
      // The value was checked; the next check is when a message may be sent again.
      if isPending { pacer?.record(now) }
    }
    guard let repetition, now >= repetition else { return nil }
    return send(smoothing?.value(at: now).value ?? values, at: now)
  }

  /// Ends the repetition of the latest reading until the next reading; a delayed value is still sent.
  package mutating func lose() { isLost = true }

  /// The time at which `due(at:)` next may return values, if no further reading comes; nil for never.
  package var nextTime: HostTime? {
    // Without a rate, a smoothed value is sent with each reading, and once more when it has settled.
    let pending = isPending ? pacer.map { max($0.nextKept, latest) } ?? smoothing?.settled : nil
    let again = repetition.map { max($0, pacer?.nextKept ?? $0) }
    guard let pending else { return again }
    return again.map { min($0, pending) } ?? pending
  }

  private var repetition: HostTime? {
    guard let again, let lastSent, !isLost else { return nil }
    return lastSent.advanced(byNanoseconds: again)
  }

  private mutating func send(_ values: [Float], at now: HostTime) -> [Float] {
    pacer?.record(now)
    band.record(values)
    lastSent = now
    return values
  }
}

/// A filter that skips small changes of values, such as noise.
struct DeadBand: Sendable {
  private let width: Float?
  private var sent: [Float] = []

  /// - Parameter width: the largest difference from the last value sent at which a new value is not sent; nil to send
  ///   every value, changed or not.
  init(_ width: Float?) { self.width = width }

  func isOutside(_ values: [Float]) -> Bool {
    guard let width, sent.count == values.count else { return true }
    for (index, value) in values.enumerated() where !(abs(value - sent[index]) <= width) { return true }
    return false
  }

  mutating func record(_ values: [Float]) { if width != nil { sent = values } }
}

/// A pacer of messages: it limits their number per second, and spaces them evenly.
///
/// In any T seconds it allows at most T · rate + 2 messages. If evenly spaced readings come faster than `rate`, it
/// allows `rate` messages a second on average, even if neither rate is a multiple of the other.
///
/// If readings come at twice `rate`, every second reading is sent without delay, as long as their jitter stays below
/// `lead`. For this, the pacer's grid of sending times lies a little before the readings. If the clock of the
/// readings drifts against this machine's clock, some readings are delayed.
///
/// A delayed value waits a little longer than the limit requires, so that a newer value can replace it.
struct MessagePacer: Sendable {
  private let period: Int64
  /// The time, in nanoseconds, by which the grid of sending times precedes the readings of an even stream: the expected
  /// jitter of the readings.
  private let lead: Int64
  /// The earliest time at which the next message is allowed.
  private(set) var next = HostTime.distantPast

  /// - Parameter rate: messages a second, above 0.
  init(_ rate: Double) {
    period = Int64(1e9 / rate)
    lead = min(period / 8, 2_500_000)
  }

  /// The nanoseconds that a delayed value may wait beyond `nextKept`, so that the event loop can send it together with
  /// other values.
  var slack: Int64 { 2 * lead }

  func allows(_ time: HostTime) -> Bool { time >= next }

  /// The time at which a delayed value is sent, unless a newer reading has replaced it by then.
  var nextKept: HostTime { next.advanced(byNanoseconds: 2 * lead) }

  /// Updates `next`, the earliest time of the next message, after a message was sent at `time`.
  mutating func record(_ time: HostTime) {
    // The times are on a grid, so a late message does not delay those that follow. After a pause the grid begins again:
    // missed messages are not made up for.
    let onGrid = next == .distantPast ? next : next.advanced(byNanoseconds: period)
    next = onGrid > time ? onGrid : time.advanced(byNanoseconds: period - lead)
  }
}

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
  mutating func add(_ values: [Float], at now: HostTime) {
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
