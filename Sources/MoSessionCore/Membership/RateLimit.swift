import MoCore

/// Limits how often something is done in a second: five times, or as often as `most` says.
struct RateLimit: Sendable {
  private var window: HostTime?
  private var count = 0

  static let most = 5

  mutating func allows(at now: HostTime, most: Int = most) -> Bool {
    if let window, now >= window, now.seconds(since: window) < 1 {
      count += 1
    } else {
      (window, count) = (now, 1)
    }
    return count <= most
  }
}
