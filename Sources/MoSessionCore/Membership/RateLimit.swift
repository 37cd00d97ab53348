import MoCore

/// A limit of events per second: five, unless a call of `allows` gives another limit.
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

/// A limit of signature checks per second, for one address and in total.
struct VerificationLimit: Sendable {
  private var window: HostTime?
  private var all = 0
  private var counts: [Address: Int] = [:]

  private struct Address: Hashable {
    var high: UInt64
    var low: UInt64
  }

  /// The most checks for one address: a conductor that changes the tempo continuously signs 25 states a second.
  static let mostFromOne = 32
  /// The most checks for all addresses: they take 16 ms of a second on an AMD EPYC core, and 160 ms on a slow board.
  static let most = 96

  mutating func allows(_ endpoint: SessionEndpoint, at now: HostTime) -> Bool {
    if window.map({ now < $0 || now.seconds(since: $0) >= 1 }) ?? true {
      (window, all, counts) = (now, 0, [:])
    }
    let address = Address(high: endpoint.high, low: endpoint.low)
    let count = counts[address, default: 0]
    // Addresses past their limit are already in the table, so its size is at most the total limit.
    guard count < Self.mostFromOne, all < Self.most else { return false }
    counts[address] = count + 1
    all += 1
    return true
  }
}
