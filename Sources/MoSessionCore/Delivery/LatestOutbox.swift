import MoCore

/// A parameter's newest value on its way to one member.
struct LatestOutbox: Sendable {
  var message: PlayMessage
  var name: String
  var next: HostTime
  /// When a value was sent last.
  var sent = HostTime.distantPast
  /// Pauses after which it is said again, since nobody acknowledges it.
  var pauses: ArraySlice<Double> = [0.1, 0.3, 1]

  /// Most values that are on their way to one member.
  static let most = 64
  /// Seconds from one value to the next.
  static let interval = 0.04

  /// What is to be sent.
  mutating func due(at now: HostTime) -> PlayMessage? {
    guard next <= now else { return nil }
    sent = now
    next = pauses.popFirst().map { now.advanced(bySeconds: $0) } ?? .distantFuture
    return message
  }
  /// Whether it has been said for the last time.
  var isDone: Bool { next == .distantFuture }
}
