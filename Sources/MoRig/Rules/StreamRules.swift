import MoCore

/// The rules that decide which readings of a sensor are sent, and when: they smooth, limit the rate, and skip unchanged
/// values.
///
/// A reading is valid until the next reading, since the kernel reports changes only. So a value that the rate or the
/// smoothing delayed is sent when it is due (`nextTime`, `due(at:)`). Thus the last value that a receiver gets is the
/// true value, except for differences within the dead band.
///
/// `StreamRules` uses no clock: the caller passes the time. It stores only the latest reading.
struct StreamRules: Sendable {
  /// The settings of the rules, as a configuration gives them; nil for a rule that does not apply.
  struct Wishes: Equatable, Sendable {
    /// The largest number of messages per second.
    var rate: Double?
    /// The dead band, in the unit of the readings: a value is sent only if it differs by more than this from the last
    /// value sent.
    var deadBand: Double?
    /// Seconds after a sudden change of the value until the smoothed value has covered 95 % of this change.
    var smooth: Double?
    /// The number of seconds after the last message at which an unchanged value is sent again.
    var again: Double?

    var isEmpty: Bool { self == Wishes() }
  }

  private var limit: RateLimit?
  private var band: DeadBand
  private var smoothing: Smoothing?
  private let again: Int64?
  /// The values of the latest reading.
  private var values: [Float] = []
  private var isPending = false
  private var latest = HostTime.zero
  private var lastSent: HostTime?

  /// The longest delay after `nextTime` with which a message may be sent, in nanoseconds.
  var slack: Int64 { limit?.slack ?? 0 }

  init(_ wishes: Wishes) {
    limit = wishes.rate.map { RateLimit($0) }
    band = DeadBand(wishes.deadBand.map { Float($0) })
    smoothing = wishes.smooth.map { Smoothing($0) }
    again = wishes.again.map { Int64($0 * 1e9) }
  }

  /// Handles a reading; returns the values to send now, or nil to send nothing now.
  mutating func take(_ reading: [Float], at time: HostTime) -> [Float]? {
    let time = max(time, latest)
    values = reading
    latest = time
    isPending = true
    smoothing?.take(reading, at: time)
    return due(at: time)
  }

  /// Returns the values that are to be sent now, because they were delayed, smoothed or must be repeated; nil for none.
  mutating func due(at now: HostTime) -> [Float]? {
    guard !values.isEmpty, limit?.allows(now) ?? true else { return nil }
    if isPending {
      let (smoothed, isSettled) = smoothing?.value(at: now) ?? (values, true)
      isPending = !isSettled
      if band.isOutside(smoothed) { return send(smoothed, at: now) }
      // The value was checked; the next check is when a message may be sent again.
      if isPending { limit?.note(now) }
    }
    guard let repetition, now >= repetition else { return nil }
    return send(smoothing?.value(at: now).value ?? values, at: now)
  }

  /// The time at which `due(at:)` next may return values, if no further reading comes; nil for never.
  var nextTime: HostTime? {
    // Without a rate, a smoothed value is sent with each reading, and once more when it has settled.
    let pending = isPending ? limit.map { max($0.nextKept, latest) } ?? smoothing?.settled : nil
    let again = repetition.map { max($0, limit?.nextKept ?? $0) }
    guard let pending else { return again }
    return again.map { min($0, pending) } ?? pending
  }

  private var repetition: HostTime? {
    guard let again, let lastSent else { return nil }
    return lastSent.advanced(byNanoseconds: again)
  }

  private mutating func send(_ values: [Float], at now: HostTime) -> [Float] {
    limit?.note(now)
    band.note(values)
    lastSent = now
    return values
  }
}
