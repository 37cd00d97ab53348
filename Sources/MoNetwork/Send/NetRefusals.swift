import MoCore

/// The targets to which a connection in the background has just failed: for a second, no further attempt is made.
///
/// Without this pause, a sensor's callback would try to connect at each reading.
package struct NetRefusals {
  private var all: [NetTarget: (reason: String, time: HostTime)] = [:]

  /// The pause before the next attempt, in seconds.
  private static let pause = 1.0
  private static let most = 256

  package init() {}

  /// Stores the reason of a failed attempt to connect.
  package mutating func add(_ target: NetTarget, _ reason: String, at now: HostTime) {
    if all.count >= Self.most { all = [:] }
    all[target] = (reason, now)
  }

  /// Returns the reason of the last failed attempt; nil if a new attempt may be made.
  package func reason(_ target: NetTarget, at now: HostTime) -> String? {
    guard let last = all[target], now.seconds(since: last.time) < Self.pause else { return nil }
    return last.reason
  }
}
