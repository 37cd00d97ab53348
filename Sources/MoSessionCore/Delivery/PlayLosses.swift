import MoCore

/// What one member has not got, and when that is told: a second after the first of it, and then not again before something
/// has come through.
struct PlayLosses: Sendable {
  /// All of it since the member is here.
  private(set) var total = 0
  /// When it is to be told; in the distant future while nothing is.
  private(set) var due = HostTime.distantFuture
  private var untold: [SessionAddress: Int] = [:]
  private var told: HostTime?
  /// Whether it was told, and nothing has come through since.
  private var isSilent = false

  /// Seconds in which it is gathered: what was played together is given up together.
  static let gathering = 1.0
  /// Seconds from one telling to the next, where little comes through.
  static let pause = 10.0

  /// Notes so many messages.
  mutating func add(_ address: SessionAddress, _ count: Int = 1, at now: HostTime) {
    total += count
    untold[address, default: 0] += count
    if !isSilent { plan(at: now) }
  }

  /// Notes that the member has acknowledged something.
  mutating func answered(at now: HostTime) {
    guard isSilent else { return }
    isSilent = false
    if !untold.isEmpty { plan(at: now) }
  }

  /// Takes out what is to be told; empty where nothing is.
  mutating func take(at now: HostTime) -> [SessionAddress: Int] {
    defer { untold = [:] }
    (due, told, isSilent) = (.distantFuture, now, true)
    return untold
  }

  private mutating func plan(at now: HostTime) {
    let earliest = told?.advanced(bySeconds: Self.pause) ?? now
    due = min(due, max(now.advanced(bySeconds: Self.gathering), earliest))
  }

  mutating func shift(by nanoseconds: Int64) {
    due.shift(by: nanoseconds)
    told?.shift(by: nanoseconds)
  }
}
