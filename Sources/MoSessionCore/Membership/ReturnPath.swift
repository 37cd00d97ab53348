import MoCore

/// A proof that datagrams to an address arrive there.
///
/// A source address can be forged. So each address is sent a token, which it must return before its sender becomes a
/// member. The token is computed from the address and a secret: no memory is used for senders that never return it.
struct ReturnPath: Sendable {
  private let secret: UInt64
  private var listeners = RateLimit()
  private var strangers = RateLimit()
  private var returning = RateLimit()
  private var proved = RateLimit()
  private var refused = RefusedAddresses()
  private var hosts = ChallengedHosts()

  /// The most challenges per second to addresses that return the token of one of our hellos to all members.
  static let mostListeners = 256
  /// The most challenges per second to addresses that return no token of our hellos to all members.
  ///
  /// A challenge to an unused address of this network stays in the socket's send buffer for 3 s, and occupies 768 bytes
  /// of the buffer. So a buffer of 416 KiB has room for 184 challenges per second, which is enough for `mostStrangers`
  /// and `mostReturning` together.
  static let mostStrangers = 64
  /// The most challenges per second to addresses that ask again after a refusal, if their host has returned no token
  /// yet.
  static let mostReturning = 112
  /// The most challenges per second to addresses that ask again after a refusal, if their host has returned a token.
  ///
  /// An attacker cannot forge such a host.
  static let mostProved = 256
  /// Nanoseconds for which our hellos to all members carry the same token.
  ///
  /// After the next token has replaced a token, the old token remains valid for this time once more.
  private static let callLength: Int64 = 4_000_000_000

  init(secret: UInt64) { self.secret = secret }

  /// Returns the token that an address has to return.
  ///
  /// Swift's `Hasher` is SipHash-1-3, keyed at random in each process.
  func token(for endpoint: SessionEndpoint) -> Int64 {
    var hasher = Hasher()
    hasher.combine(secret)
    hasher.combine(endpoint)
    return Int64(hasher.finalize() | 1)
  }

  /// Returns the token in this member's hellos to all members; the token changes every 4 s.
  func call(at now: HostTime) -> Int64 { call(now.nanoseconds / Self.callLength) }

  private func call(_ slot: Int64) -> Int64 {
    var hasher = Hasher()
    hasher.combine(secret)
    hasher.combine(slot)
    return Int64(hasher.finalize() | 1)
  }

  /// Returns whether an address may be challenged now.
  ///
  /// Addresses that return the token of a hello of ours have a limit of their own. A flood of forged hellos uses up the
  /// limit for all other addresses. So an address that asks again after a refusal has a further limit. A program that
  /// starts sends three hellos within half a second from one address, and is challenged after the second hello. A flood
  /// can repeat its addresses, too. So the challenges to addresses that ask again are also limited for each host.
  mutating func mayChallenge(_ endpoint: SessionEndpoint, echo: Int64, at now: HostTime) -> Bool {
    let slot = now.nanoseconds / Self.callLength
    let isListener = echo == call(slot) || echo == call(slot - 1)
    let isEarly =
      isListener
      ? listeners.allows(at: now, most: Self.mostListeners)
      : strangers.allows(at: now, most: Self.mostStrangers)
    guard !isEarly else { return true }
    let address = UInt64(bitPattern: token(for: endpoint))
    guard refused.asksAgain(address, at: now) else { return false }
    let host = hash(ofHost: endpoint)
    guard endpoint.isLoopback || hosts.mayChallenge(host, at: now),
      hosts.isProved(host)
        ? proved.allows(at: now, most: Self.mostProved) : returning.allows(at: now, most: Self.mostReturning)
    else { return false }
    refused.wasChallenged(address, at: now)
    hosts.wasChallenged(host, at: now)
    return true
  }

  /// Stores that an address has returned its token, so that the address's host counts as real.
  mutating func hasProved(_ endpoint: SessionEndpoint, at now: HostTime) {
    hosts.hasProved(hash(ofHost: endpoint), at: now)
  }

  private func hash(ofHost endpoint: SessionEndpoint) -> UInt64 {
    var host = endpoint
    host.port = 0
    return UInt64(bitPattern: token(for: host))
  }
}
