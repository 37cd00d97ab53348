/// Where a member is, as others are told who have not heard it themselves.
struct MemberPlace: Hashable, Sendable {
  var member: MemberID
  var endpoint: SessionEndpoint

  /// Most of them in one hello.
  static let most = 8

  /// The identity, the port, 4 or 6, and the address, for each of them.
  static func bytes(of places: [MemberPlace]) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ number: UInt64, _ count: Int) {
      for place in (0..<count).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * place)))
      }
    }
    for place in places.prefix(most) {
      let endpoint = place.endpoint
      add(place.member.bits, 8)
      add(UInt64(endpoint.port), 2)
      bytes.append(endpoint.isIPv6 ? 6 : 4)
      if endpoint.isIPv6 {
        add(endpoint.high, 8)
        add(endpoint.low, 8)
      } else {
        add(endpoint.high >> 32, 4)
      }
    }
    return bytes
  }

  /// Reads as many as are whole.
  static func list(_ bytes: [UInt8]) -> [MemberPlace] {
    var rest = bytes[...]
    func number(_ count: Int) -> UInt64? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }
    var list: [MemberPlace] = []
    while list.count < most, let id = number(8), let port = number(2), let kind = number(1) {
      guard id != 0, port != 0, kind == 4 || kind == 6, let high = number(kind == 4 ? 4 : 8),
        let low = kind == 4 ? 0 : number(8)
      else { return list }
      list.append(
        MemberPlace(
          member: MemberID(id),
          endpoint: SessionEndpoint(
            high: kind == 4 ? high << 32 : high, low: low, port: UInt16(port), isIPv6: kind == 6)))
    }
    return list
  }
}

extension SessionEndpoint {
  /// Whether it can be told to others: a link-local IPv6 address means another machine on each link.
  var isForOthers: Bool { !isIPv6 || high >> 54 != 0xFE80 >> 6 }

  /// Whether a member that is told of by another can be there: in a private network, or beside who tells of it.
  func isNear(_ teller: SessionEndpoint) -> Bool {
    guard isIPv6 == teller.isIPv6 else { return isPrivate }
    return isPrivate || high >> (isIPv6 ? 0 : 48) == teller.high >> (isIPv6 ? 0 : 48)
  }

  /// Whether it holds on one link alone: RFC 3927, RFC 4291 § 2.5.6.
  package var isLinkLocal: Bool { isIPv6 ? high >> 54 == 0xFE80 >> 6 : high >> 48 == 0xA9FE }

  /// In a range that the Internet does not route: RFC 1918, 3927, 4193, 6598, or on this machine.
  package var isPrivate: Bool {
    let (first, second) = (high >> 56, high >> 48 & 0xFF)
    if isIPv6 { return first & 0xFE == 0xFC }
    switch (first, second) {
    case (10, _), (127, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): return true
    default: return false
    }
  }
}
