import MoCore

/// The addresses at which a member has shown that it is, and the one of them that it is sent to.
///
/// A machine on two networks, or with both IPv4 and IPv6, is heard from several addresses. It stays at the first of
/// them for as long as it is heard from there.
struct MemberWays: Hashable, Sendable {
  private struct Way: Hashable, Sendable {
    var endpoint: SessionEndpoint
    var lastHeard: HostTime
  }

  /// The address that datagrams for it go to.
  private(set) var used: SessionEndpoint
  private var list: [Way]

  /// Two networks with IPv4 and IPv6 each, and an address that has changed on both.
  private static let most = 6
  /// Seconds after which an address that is not heard from makes room for another.
  private static let memory = 10.0

  init(_ endpoint: SessionEndpoint, now: HostTime) {
    used = endpoint
    list = [Way(endpoint: endpoint, lastHeard: now)]
  }

  /// All addresses, the oldest first.
  var endpoints: [SessionEndpoint] { list.map(\.endpoint) }

  /// Those that it is not sent to.
  var others: [SessionEndpoint] { endpoints.filter { $0 != used } }

  /// Whether it is known by IPv6 alone.
  var isIPv6Only: Bool { list.allSatisfy(\.endpoint.isIPv6) }

  /// The address at which a member that is heard at `hearer` can find it, with nil all that hear a call; nil for none.
  func place(for hearer: SessionEndpoint?) -> SessionEndpoint? {
    if used.canBeTold(to: hearer) { return used }
    return endpoints.first { $0.canBeTold(to: hearer) }
  }

  func contains(_ endpoint: SessionEndpoint) -> Bool { list.contains { $0.endpoint == endpoint } }

  /// Whether an address can be added.
  func hasRoom(at now: HostTime) -> Bool {
    list.count < Self.most || list.contains { $0.endpoint != used && isOld($0, now) }
  }

  /// Notes that it was heard from an address that it has proven.
  ///
  /// - Parameter timeout: seconds without a word from the address in use after which another one takes its place.
  mutating func receive(_ endpoint: SessionEndpoint, timeout: Double, now: HostTime) {
    if let index = list.firstIndex(where: { $0.endpoint == endpoint }) {
      list[index].lastHeard = now
    } else {
      guard hasRoom(at: now) else { return }
      list = list.filter { $0.endpoint == used || !isOld($0, now) }
      list.append(Way(endpoint: endpoint, lastHeard: now))
    }
    guard endpoint != used, let current = list.first(where: { $0.endpoint == used }) else { return }
    if now.seconds(since: current.lastHeard) > timeout { used = endpoint }
  }

  /// Moves all that is noted by the own clock.
  mutating func shift(by nanoseconds: Int64) {
    for index in list.indices { list[index].lastHeard.shift(by: nanoseconds) }
  }

  private func isOld(_ way: Way, _ now: HostTime) -> Bool {
    now.seconds(since: way.lastHeard) > Self.memory
  }
}
