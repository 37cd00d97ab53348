import MoTime

/// Keeps what we send to strangers within bounds, so that nobody can make us flood somebody else: five a second.
struct KnockLimit: Sendable {
  private var window = HostTime.distantPast
  private var count = 0

  mutating func allows(at now: HostTime) -> Bool {
    if now < window || now.seconds(since: window) >= 1 { (window, count) = (now, 0) }
    count += 1
    return count <= 5
  }
}
