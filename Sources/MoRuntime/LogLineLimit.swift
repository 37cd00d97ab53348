import MoCore

/// A limit of ten lines an hour in the log, for lines about changes of a state.
///
/// The ninth line within an hour is the last for an hour, in which further lines are suppressed and counted. After this
/// hour, a summary is due, since the last line in the log may not describe the present state.
package struct LogLineLimit: Sendable {
  private static let most = 10
  private static let hour = 3600.0

  private var lines: [HostTime] = []
  private var mutedUntil: HostTime?
  /// The number of suppressed lines, and the last of these lines; nil while no line is suppressed.
  private var suppressed: (count: Int, level: MoLog.Level, text: String, name: String)?

  package init() {}

  /// The time at which `summary` returns a line; nil while no line is suppressed.
  package var nextTime: HostTime? { suppressed == nil ? nil : mutedUntil }

  /// Returns the line that must be logged for a change, or nil if the line is suppressed.
  ///
  /// If the summary is due, the summary contains this change.
  ///
  /// - Parameter name: the name of the object that changed, for the summary.
  package mutating func line(
    _ level: MoLog.Level, _ text: String, about name: String, now: HostTime
  ) -> (MoLog.Level, String)? {
    if let end = mutedUntil, now < end || suppressed != nil {
      suppressed = ((suppressed?.count ?? 0) + 1, level, text, name)
      return summary(now: now)
    }
    mutedUntil = nil
    lines.removeAll { now.seconds(since: $0) >= Self.hour }
    lines.append(now)
    guard lines.count >= Self.most - 1 else { return (level, text) }
    mutedUntil = now.advanced(bySeconds: Self.hour)
    let sentence = text.hasSuffix(".") ? text : text + "."
    return (level, sentence + " It changes often: for an hour MoMu only counts its changes.")
  }

  /// Returns the summary of the suppressed lines, with the level of the last of them, after the hour without lines.
  ///
  /// The result is nil if the hour is not over, or if no line was suppressed.
  package mutating func summary(now: HostTime) -> (MoLog.Level, String)? {
    guard let (count, level, text, name) = suppressed, let end = mutedUntil, now >= end else { return nil }
    (suppressed, mutedUntil, lines) = (nil, nil, [now])
    let changes = "\(name) changed \(counted(count, "more time")) in the last hour"
    return (level, "\(changes); the last change: \(text)")
  }
}
