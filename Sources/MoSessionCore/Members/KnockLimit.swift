import MoTime

/// Keeps what we send to strangers within bounds, so that nobody can make us flood somebody else: five a second.
struct KnockLimit: Sendable {
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
