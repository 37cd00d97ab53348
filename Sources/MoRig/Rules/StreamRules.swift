import MoCore

/// What of a sensor's readings is sent, and when: smoothed, no more often than wished, only what has changed.
///
/// A reading holds until the next: the kernel reports changes only. So what a rate or a smoothing kept back is sent
/// when its time has come (`nextTime`, `due(at:)`), and the receiver always ends at the true value.
/// It knows no clock and keeps one reading, however long it runs.
struct StreamRules: Sendable {
  /// What the configuration says; nil for what is not wished.
  struct Wishes: Equatable, Sendable {
    /// Messages a second at most.
    var rate: Double?
    /// In the reading's unit: a value must differ by more than that from what was sent.
    var deadBand: Double?
    /// Seconds in which a step is followed, but for 5 %.
    var smooth: Double?
    /// Seconds after which an unchanged value is sent again.
    var again: Double?

    var isEmpty: Bool { self == Wishes() }
  }

  private var limit: RateLimit?
  private var band: DeadBand
  private var smoothing: Smoothing?
  private let again: Int64?
  /// The latest reading, until it or what became of it was looked at.
  private var values: [Float] = []
  private var isPending = false
  private var latest = HostTime.zero
  private var lastSent: HostTime?

  init(_ wishes: Wishes) {
    limit = wishes.rate.map { RateLimit($0) }
    band = DeadBand(wishes.deadBand.map { Float($0) })
    smoothing = wishes.smooth.map { Smoothing($0) }
    again = wishes.again.map { Int64($0 * 1e9) }
  }

  /// Takes a reading; what is to be sent now, if anything is.
  mutating func take(_ reading: [Float], at time: HostTime) -> [Float]? {
    let time = max(time, latest)
    values = reading
    latest = time
    isPending = true
    smoothing?.take(reading, at: time)
    return due(at: time)
  }

  /// What is to be sent by now that was not before.
  mutating func due(at now: HostTime) -> [Float]? {
    guard !values.isEmpty, limit?.allows(now) ?? true else { return nil }
    if isPending {
      let (smoothed, isSettled) = smoothing?.value(at: now) ?? (values, true)
      isPending = !isSettled
      if band.isOutside(smoothed) { return send(smoothed, at: now) }
      // It was looked at, and is looked at again when a message might go.
      if isPending { limit?.note(now) }
    }
    guard let repetition, now >= repetition else { return nil }
    return send(smoothing?.value(at: now).value ?? values, at: now)
  }

  /// When there may be something to send without a further reading.
  var nextTime: HostTime? {
    // Without a rate a smoothed value is sent with each reading, and once more when it has come to rest.
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
