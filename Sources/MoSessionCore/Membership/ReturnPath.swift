import MoCore

/// Proof that datagrams which are sent to an address arrive there.
///
/// A source address can be forged. So each address is given a number, which its sender has to return before it becomes
/// a member. The number follows from the address and a secret: nothing is kept of senders that never return it.
struct ReturnPath: Sendable {
  private let secret: UInt64
  private var listeners = RateLimit()
  private var strangers = RateLimit()
  private var returning = RateLimit()
  private var refused = RefusedAddresses()

  /// Most challenges a second to addresses that heard one of our calls to all.
  static let mostListeners = 256
  /// Most challenges a second to all other addresses.
  ///
  /// A challenge to an unused address of this network waits in the socket's send buffer for 3 s, and takes
  /// 768 bytes of it. Of these and the returning ones together a buffer of 416 KiB holds 184 a second.
  static let mostStrangers = 64
  /// Most challenges a second to addresses that were refused one shortly before.
  static let mostReturning = 112
  /// Nanoseconds for which our calls to all carry one number; it counts for as long again.
  private static let callLength: Int64 = 4_000_000_000

  init(secret: UInt64) { self.secret = secret }

  /// The number that an address has to return.
  ///
  /// Swift's `Hasher` is SipHash-1-3, keyed at random in each process.
  func token(for endpoint: SessionEndpoint) -> Int64 {
    var hasher = Hasher()
    hasher.combine(secret)
    hasher.combine(endpoint)
    return Int64(hasher.finalize() | 1)
  }

  /// The number in our calls to all.
  func call(at now: HostTime) -> Int64 { call(now.nanoseconds / Self.callLength) }

  private func call(_ slot: Int64) -> Int64 {
    var hasher = Hasher()
    hasher.combine(secret)
    hasher.combine(slot)
    return Int64(hasher.finalize() | 1)
  }

  /// Whether an address may be challenged now; it is rather one that heard a call of ours, or that asks again.
  ///
  /// A flood of forged hellos takes the first challenges of each second. A program that starts says hello three times
  /// within half a second, from one address; so it is challenged the second time.
  mutating func mayChallenge(_ endpoint: SessionEndpoint, echo: Int64, at now: HostTime) -> Bool {
    let slot = now.nanoseconds / Self.callLength
    let isListener = echo == call(slot) || echo == call(slot - 1)
    let isEarly =
      isListener
      ? listeners.allows(at: now, most: Self.mostListeners)
      : strangers.allows(at: now, most: Self.mostStrangers)
    guard !isEarly else { return true }
    let hash = UInt64(bitPattern: token(for: endpoint))
    guard refused.asksAgain(hash, at: now), returning.allows(at: now, most: Self.mostReturning) else {
      return false
    }
    refused.wasChallenged(hash, at: now)
    return true
  }
}
