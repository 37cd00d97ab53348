/// A member's ID and address, which another member relays, so that members that do not hear the member can find it.
package struct RelayedMember: Hashable, Sendable {
  var member: MemberID
  /// The member's address; nil if the member has none that the receiver could use.
  package var endpoint: SessionEndpoint?

  package init(member: MemberID, endpoint: SessionEndpoint? = nil) {
    (self.member, self.endpoint) = (member, endpoint)
  }

  /// The largest number of relayed members in a hello.
  static let most = 8

  /// Encodes members: for each the ID, the port, 4 or 6 for the kind of address, and the address.
  ///
  /// For a member without an address, the port and the kind are 0, and the address is left out.
  package static func bytes(of members: [RelayedMember]) -> [UInt8] {
    var bytes: [UInt8] = []
    for member in members.prefix(most) {
      bytes.append(member.member.bits, count: 8)
      bytes.append(UInt64(member.endpoint?.port ?? 0), count: 2)
      bytes.append(member.endpoint.map { $0.isIPv6 ? 6 : 4 } ?? 0)
      guard let endpoint = member.endpoint else { continue }
      if endpoint.isIPv6 {
        bytes.append(endpoint.high, count: 8)
        bytes.append(endpoint.low, count: 8)
      } else {
        bytes.append(endpoint.high >> 32, count: 4)
      }
    }
    return bytes
  }

  /// Decodes at most `most` members, up to the first incomplete or invalid member.
  package static func list(_ bytes: [UInt8]) -> [RelayedMember] {
    var reader = ByteReader(bytes)
    var list: [RelayedMember] = []
    while list.count < most, let id = reader.number(8), let port = reader.number(2),
      let kind = reader.number(1)
    {
      guard id != 0 else { return list }
      if kind == 0, port == 0 {
        list.append(RelayedMember(member: MemberID(id), endpoint: nil))
        continue
      }
      guard port != 0, kind == 4 || kind == 6, let high = reader.number(kind == 4 ? 4 : 8),
        let low = kind == 4 ? 0 : reader.number(8)
      else { return list }
      list.append(
        RelayedMember(
          member: MemberID(id),
          endpoint: SessionEndpoint(
            high: kind == 4 ? high << 32 : high, low: low, port: UInt16(port), isIPv6: kind == 6)))
    }
    return list
  }
}

extension SessionEndpoint {
  /// Returns whether the address can be relayed to a member at `receiver`, or to all members if `receiver` is nil.
  ///
  /// On each link, a link-local IPv6 address can belong to a different machine, so it is relayed only within its link.
  /// Any other address is relayed to a member with the same IP version.
  func canBeRelayed(to receiver: SessionEndpoint?) -> Bool {
    needsInterface
      ? receiver?.needsInterface == true && receiver?.scope == scope
      : receiver.map { $0.isIPv6 == isIPv6 } ?? true
  }

  /// Converts an address that another member relayed to the address that this machine must use.
  ///
  /// A link-local IPv6 address gets the interface on which this machine reaches the relaying member, `relay`.
  package func relayed(by relay: SessionEndpoint) -> SessionEndpoint {
    var here = self
    here.scope = needsInterface && relay.needsInterface ? relay.scope : 0
    return here
  }

  /// Returns whether the address, which the member `relay` relayed, is in a private network or in the network of
  /// `relay`.
  package func isNear(_ relay: SessionEndpoint) -> Bool {
    if needsInterface { return scope != 0 && scope == relay.scope }
    guard isIPv6 == relay.isIPv6 else { return isPrivate }
    return isPrivate || high >> (isIPv6 ? 0 : 48) == relay.high >> (isIPv6 ? 0 : 48)
  }

  /// Whether the address is valid on one link only: RFC 3927, RFC 4291 § 2.5.6.
  package var isLinkLocal: Bool { isIPv6 ? high >> 54 == 0xFE80 >> 6 : high >> 48 == 0xA9FE }

  /// Whether the address is 127.x.x.x, or in a range that the internet does not route: RFC 1918, 3927, 4193, 6598.
  package var isPrivate: Bool {
    let (first, second) = (high >> 56, high >> 48 & 0xFF)
    if isIPv6 { return first & 0xFE == 0xFC }
    switch (first, second) {
    case (10, _), (127, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): return true
    default: return false
    }
  }
}
