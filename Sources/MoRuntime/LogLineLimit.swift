import MoCore

/// A limit of ten lines an hour in the log, for lines about a state that may change often.
package struct LogLineLimit: Sendable {
  /// The decision about a line.
  package enum Decision: Equatable, Sendable {
    /// The line is logged.
    case logged
    /// The line is logged, and is the last line for an hour; further lines are suppressed and counted.
    case last
    /// The line is suppressed and counted.
    case suppressed
  }

  private static let most = 10
  private static let hour = 3600.0

  private var lines: [HostTime] = []
  private var mutedUntil: HostTime?
  private var suppressed = 0

  package init() {}

  /// Decides whether a line may be logged now, and counts a suppressed line.
  package mutating func decide(now: HostTime) -> Decision {
    if mutedUntil != nil {
      suppressed += 1
      return .suppressed
    }
    lines.removeAll { now.seconds(since: $0) >= Self.hour }
    lines.append(now)
    guard lines.count >= Self.most - 1 else { return .logged }
    mutedUntil = now.advanced(bySeconds: Self.hour)
    return .last
  }

  /// Ends the suppression of lines after an hour, and returns how many lines were suppressed.
  ///
  /// The result is nil if lines are not suppressed, or if the hour is not over.
  package mutating func release(now: HostTime) -> Int? {
    guard let end = mutedUntil, now >= end else { return nil }
    mutedUntil = nil
    lines = [now]
    defer { suppressed = 0 }
    return suppressed
  }
}
