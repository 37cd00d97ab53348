import MoCore

/// The proved addresses of a member, and the address among them to which datagrams go.
///
/// A machine on two networks, or with both IPv4 and IPv6, is heard from several addresses. Datagrams go to the first
/// address for as long as the member is heard from this address.
package struct MemberAddresses: Hashable, Sendable {
  private struct Address: Hashable, Sendable {
    var endpoint: SessionEndpoint
    var lastHeard: HostTime
  }

  /// The address for datagrams to the member.
  private(set) var used: SessionEndpoint
  private var list: [Address]

  /// The most addresses of a member: an IPv4, an IPv6 and a changed address on each of two networks.
  private static let most = 6
  /// Seconds without a packet after which an address may be replaced by another.
  private static let memory = 10.0

  package init(_ endpoint: SessionEndpoint, now: HostTime) {
    used = endpoint
    list = [Address(endpoint: endpoint, lastHeard: now)]
  }

  /// All addresses, the oldest first.
  package var endpoints: [SessionEndpoint] { list.map(\.endpoint) }

  /// All addresses except the one in use.
  var others: [SessionEndpoint] { endpoints.filter { $0 != used } }

  /// Whether the member is known by IPv6 alone.
  var isIPv6Only: Bool { list.allSatisfy(\.endpoint.isIPv6) }

  /// Returns an address of this member that can be relayed to another member; nil if there is none.
  ///
  /// - Parameter receiver: the address of the member to which the address is relayed; nil for all members.
  package func relayEndpoint(for receiver: SessionEndpoint?) -> SessionEndpoint? {
    if used.canBeRelayed(to: receiver) { return used }
    return endpoints.first { $0.canBeRelayed(to: receiver) }
  }

  package func contains(_ endpoint: SessionEndpoint) -> Bool { list.contains { $0.endpoint == endpoint } }

  /// Returns whether an address can be added: fewer than six are stored, or an address not in use was silent for 10 s.
  func hasSpace(at now: HostTime) -> Bool {
    list.count < Self.most || list.contains { $0.endpoint != used && isOld($0, now) }
  }

  /// Updates the addresses after a message from an address that the member has proved to be its own.
  ///
  /// - Parameter timeout: seconds of silence after which another address replaces the one in use.
  package mutating func receive(_ endpoint: SessionEndpoint, timeout: Double, now: HostTime) {
    if let index = list.firstIndex(where: { $0.endpoint == endpoint }) {
      list[index].lastHeard = now
    } else {
      guard hasSpace(at: now) else { return }
      list = list.filter { $0.endpoint == used || !isOld($0, now) }
      list.append(Address(endpoint: endpoint, lastHeard: now))
    }
    guard endpoint != used, let current = list.first(where: { $0.endpoint == used }) else { return }
    if now.seconds(since: current.lastHeard) > timeout { used = endpoint }
  }

  /// Shifts all times by a step of this machine's clock.
  mutating func shift(by nanoseconds: Int64) {
    for index in list.indices { list[index].lastHeard.shift(by: nanoseconds) }
  }

  private func isOld(_ address: Address, _ now: HostTime) -> Bool {
    now.seconds(since: address.lastHeard) > Self.memory
  }
}
