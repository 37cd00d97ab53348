import MoCore

/// A proof that datagrams to an address arrive there.
///
/// A source address can be forged. So each address is sent a token, which it must return before its sender becomes a
/// member. The token is computed from the address and a secret: no memory is used for senders that never return it.
package struct ReturnPath: Sendable {
  private let secret: UInt64
  private var listeners = RateLimit()
  private var unknownSenders = RateLimit()
  private var returning = RateLimit()
  private var proved = RateLimit()
  private var refused = RefusedAddresses()
  private var hosts = ChallengedHosts()

  /// The most challenges per second to addresses that return the token of one of our hellos to all members.
  static let mostListeners = 256
  /// The most challenges per second to addresses that return no token of our hellos to all members.
  ///
  /// A challenge to an unused address of this network stays in the socket's send buffer for 3 s, and occupies 768 bytes
  /// of the buffer. So a buffer of 416 KiB has room for 184 challenges per second, which is enough for
  /// `mostUnknownSenders` and `mostReturning` together.
  static let mostUnknownSenders = 64
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
  private static let tokenLifetime: Int64 = 4_000_000_000

  init(secret: UInt64) { self.secret = secret }

  /// Returns the token that an address has to return.
  ///
  /// Swift's `Hasher` is SipHash-1-3, keyed at random in each process.
  package func token(for endpoint: SessionEndpoint) -> Int64 {
    var hasher = Hasher()
    hasher.combine(secret)
    hasher.combine(endpoint)
    return Int64(hasher.finalize() | 1)
  }

  /// Returns the token in this member's hellos to all members; the token changes every 4 s.
  package func multicastToken(at now: HostTime) -> Int64 {
    multicastToken(now.nanoseconds / Self.tokenLifetime)
  }

  private func multicastToken(_ slot: Int64) -> Int64 {
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
    let slot = now.nanoseconds / Self.tokenLifetime
    let isListener = echo == multicastToken(slot) || echo == multicastToken(slot - 1)
    let isEarly =
      isListener
      ? listeners.allows(at: now, most: Self.mostListeners)
      : unknownSenders.allows(at: now, most: Self.mostUnknownSenders)
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

/// The addresses to which this member recently sent no challenge, because the limit of challenges was reached.
///
/// A challenge asks an address to return a token. The table has a fixed size: at 20,000 new addresses per second, an
/// entry stays in the table for three seconds.
struct RefusedAddresses: Sendable {
  private struct Entry: RecentEntry {
    var tag: UInt32 = 0
    var time: UInt32 = 0
    /// Whether the address was challenged since the refusal.
    var isChallenged = false
  }

  private var entries = RecentTable<Entry>()

  /// Seconds for which a refusal counts: a member sends a hello every second.
  private static let memory = 3.0
  /// Seconds within which copies of a datagram arrive on several network interfaces.
  private static let copies = 0.02
  /// Seconds for which a challenged address is not challenged again under overload.
  ///
  /// So a sender that reuses a thousand addresses uses up the limit of challenges for only some seconds. If our
  /// challenge to a newcomer is lost, the newcomer is still found by its own challenge to us.
  private static let pause = 300.0

  /// Returns whether an address asks again after a refusal, and records its request.
  ///
  /// The result is true if the refusal was in the last 3 s; copies of one datagram do not count as a new request. The
  /// result is also true if the address was challenged more than `pause` seconds ago.
  ///
  /// - Parameter hash: the hash of the address, which senders must not be able to predict.
  mutating func asksAgain(_ hash: UInt64, at now: HostTime) -> Bool {
    let time = CoarseTime.ticks(now)
    guard let entry = entries[hash] else {
      entries[hash] = Entry(tag: RecentTable<Entry>.tag(hash), time: time)
      return false
    }
    let age = CoarseTime.seconds(from: entry.time, to: time)
    guard age > (entry.isChallenged ? Self.pause : Self.copies) else { return false }
    entries[hash] = Entry(tag: entry.tag, time: time)
    return entry.isChallenged || age < Self.memory
  }

  /// Stores in the table that an address was challenged.
  mutating func wasChallenged(_ hash: UInt64, at now: HostTime) {
    entries[hash] = Entry(
      tag: RecentTable<Entry>.tag(hash), time: CoarseTime.ticks(now), isChallenged: true)
  }
}

/// The hosts that were challenged under overload, in a table of fixed size.
///
/// A challenge asks a sender to return a token. A forged port costs an attacker nothing, so the limits apply to a whole
/// host, not to a port. Until a host returns a token, the pause before its next challenge becomes longer with each
/// challenge. A host that has returned a token is real: only its challenges per second are limited.
struct ChallengedHosts: Sendable {
  private struct Entry: RecentEntry {
    var tag: UInt32 = 0
    /// The `CoarseTime` of the last challenge; if `isProved`, the start of the second to which `count` refers.
    var time: UInt32 = 0
    /// The number of challenges that brought no token; if `isProved`, the number of challenges in the second from
    /// `time` on.
    var count: UInt16 = 0
    var isProved = false

    /// Returns whether it is too early for the host's next challenge.
    func waits(at time: UInt32) -> Bool {
      let seconds = CoarseTime.seconds(from: self.time, to: time)
      if isProved { return count >= ChallengedHosts.mostToProved && seconds < 1 }
      return count > 0 && seconds < ChallengedHosts.pauses[min(Int(count), ChallengedHosts.pauses.count) - 1]
    }
  }

  private var entries = RecentTable<Entry>()

  /// The most challenges per second to a host that has returned a token: as many as the members that a host may have.
  private static let mostToProved = UInt16(Roster.mostAtAddress)
  /// Seconds before the next challenge, after the first, second, third, fourth and each later challenge.
  ///
  /// Only challenges that brought no token count.
  private static let pauses = [0.2, 0.2, 4, 60, 300]

  /// Returns whether a host has returned a token.
  ///
  /// - Parameter hash: the hash of the host, which senders must not be able to predict.
  func isProved(_ hash: UInt64) -> Bool { entries[hash]?.isProved ?? false }

  /// Returns whether a host may be challenged now.
  func mayChallenge(_ hash: UInt64, at now: HostTime) -> Bool {
    let time = CoarseTime.ticks(now)
    if let entry = entries[hash] { return !entry.waits(at: time) }
    // If more hosts wait than the table holds, they would replace each other, and none would wait.
    return entries.replaced(by: hash, at: time).map { $0.isProved || !$0.waits(at: time) } ?? true
  }

  /// Adds a challenge of a host to the table.
  mutating func wasChallenged(_ hash: UInt64, at now: HostTime) {
    let time = CoarseTime.ticks(now)
    var entry = entries[hash] ?? Entry(tag: RecentTable<Entry>.tag(hash), time: time)
    let isNewSecond = CoarseTime.seconds(from: entry.time, to: time) >= 1
    if entry.isProved, isNewSecond { entry.count = 0 }
    if !entry.isProved || isNewSecond { entry.time = time }
    entry.count = min(entry.count + 1, 1000)
    entries[hash] = entry
  }

  /// Stores in the table that a host has returned a token.
  mutating func hasProved(_ hash: UInt64, at now: HostTime) {
    if isProved(hash) { return }
    entries[hash] = Entry(
      tag: RecentTable<Entry>.tag(hash), time: CoarseTime.ticks(now), isProved: true)
  }
}
