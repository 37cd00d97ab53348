import Glibc
import MoCore
import MoOSC
import Synchronization

/// A hash table of the callbacks by address; guarded by the lock of `NetReceiver`.
///
/// The table contains each callback's address that has no wildcards. If a callback or a message uses a pattern,
/// the match is computed once and then cached in the table, up to `mostMatched`.
struct NetAddressSpace {
  private(set) var handlers: [NetMethod] = []
  private var places: [NetAddressEntry?] = Array(repeating: nil, count: 64)
  /// The number of addresses and received patterns in the table.
  private(set) var count = 0
  /// The number of table entries for callbacks whose address has no wildcards.
  ///
  /// All other entries are cached matches of patterns.
  private var exact = 0
  private var hasPatterns = false
  /// Whether callbacks were added or removed since the table was built.
  private var isStale = false

  /// The largest number of cached matches of patterns in the table.
  ///
  /// If a further match is to be cached, all cached matches are removed, and computed again when needed.
  static let mostMatched = 4096
  /// The length of the longest address whose match is cached, in bytes.
  ///
  /// The cache has up to 4096 addresses, so longer addresses would take too much memory.
  static let longestMatched = 255

  mutating func add(_ handler: NetMethod) {
    handlers.append(handler)
    isStale = true
  }

  mutating func remove(_ handler: NetMethod) {
    handlers.removeAll { $0 === handler }
    isStale = true
  }

  /// Returns the callbacks for a received address or pattern; nil if no callback matches.
  mutating func route(for address: UnsafeRawBufferPointer) -> NetAddressEntry? {
    if isStale { rebuild() }
    let hash = Self.hash(address)
    var place = Int(truncatingIfNeeded: hash) & (places.count - 1)
    while let route = places[place] {
      if route.hash == hash && Self.same(route.address, address) {
        return route.handlers.isEmpty ? nil : route
      }
      place = (place + 1) & (places.count - 1)
    }
    let isPattern = Self.mayBePattern(address)
    guard hasPatterns || isPattern else { return nil }
    return match(address, hash, isPattern: isPattern)
  }

  /// Finds the callbacks for an address or pattern that is not in the table, and caches them; nil if no callback
  /// matches.
  private mutating func match(_ address: UnsafeRawBufferPointer, _ hash: UInt64, isPattern: Bool)
    -> NetAddressEntry?
  {
    let bytes = [UInt8](address)
    var found: [NetMethod]
    if isPattern {
      guard let pattern = try? OSCAddressPattern(String(decoding: bytes, as: UTF8.self)) else { return nil }
      // A received pattern is matched against addresses; it matches another pattern only if both are identical.
      found = handlers.filter {
        $0.pattern.isLiteral
          ? pattern.matches($0.pattern.text) : $0.pattern == pattern || $0.pattern.text == "//*"
      }
    } else {
      found = handlers.filter { $0.pattern.matches(address) }
    }
    let route = NetAddressEntry(address: bytes, hash: hash, handlers: found)
    if bytes.count <= Self.longestMatched {
      if count - exact >= Self.mostMatched { rebuild() }
      insert(route)
    }
    return found.isEmpty ? nil : route
  }

  private mutating func rebuild() {
    isStale = false
    places = Array(repeating: nil, count: 64)
    count = 0
    let patterns = handlers.indices.filter { !handlers[$0].pattern.isLiteral }
    hasPatterns = !patterns.isEmpty
    var listeners: [String: [Int]] = [:]
    for index in handlers.indices where handlers[index].pattern.isLiteral {
      listeners[handlers[index].pattern.text, default: []].append(index)
    }
    for (address, indices) in listeners {
      let matching = patterns.filter { handlers[$0].pattern.matches(address) }
      let bytes = Array(address.utf8)
      let hash = bytes.withUnsafeBytes { Self.hash($0) }
      insert(
        NetAddressEntry(
          address: bytes, hash: hash, handlers: (indices + matching).sorted().map { handlers[$0] }))
    }
    exact = count
  }

  private mutating func insert(_ route: NetAddressEntry) {
    // At most half full, so that a search is short.
    if (count + 1) * 2 > places.count {
      let old = places
      places = Array(repeating: nil, count: old.count * 2)
      for route in old { if let route { put(route) } }
    }
    put(route)
    count += 1
  }

  private mutating func put(_ route: NetAddressEntry) {
    var place = Int(truncatingIfNeeded: route.hash) & (places.count - 1)
    while places[place] != nil { place = (place + 1) & (places.count - 1) }
    places[place] = route
  }

  private static func same(_ left: [UInt8], _ right: UnsafeRawBufferPointer) -> Bool {
    left.count == right.count
      && left.withUnsafeBytes { memcmp($0.baseAddress!, right.baseAddress!, right.count) == 0 }
  }

  private static func mayBePattern(_ address: UnsafeRawBufferPointer) -> Bool {
    var previous: UInt8 = 0
    for byte in address {
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "["), UInt8(ascii: "{"): return true
      case UInt8(ascii: "/") where previous == UInt8(ascii: "/"): return true
      default: previous = byte
      }
    }
    return false
  }

  /// Returns a hash, computed from eight bytes at a time.
  ///
  /// Its seed is random, so that no sender can choose addresses that collide.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = seed ^ UInt64(bytes.count)
    var index = 0
    while index + 8 <= bytes.count {
      hash = mix(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index += 1
    }
    return mix(hash ^ rest)
  }

  private static let seed = UInt64.random(in: .min ... .max)

  /// Returns the exclusive or of the two halves of the 128-bit product of `value` and a constant, as in wyhash (Wang
  /// Yi, 2019).
  private static func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}

/// The callbacks that match an address or a received pattern, found once and then cached.
///
/// The lock of `NetReceiver` guards everything that changes.
final class NetAddressEntry: @unchecked Sendable {
  let address: [UInt8]
  /// The address as text, as `NetMessage.address` shows it.
  let text: String
  let hash: UInt64
  let handlers: [NetMethod]
  let policy: NetPolicy
  /// Whether any callback receives a message with a future time tag as soon as the message arrives.
  let hasAhead: Bool
  /// Whether any callback receives a message with a future time tag only at the time of this tag.
  let hasOnTime: Bool
  /// The largest lateness with which any callback still accepts a message, in seconds; nil for no limit.
  let longestLate: Double?
  /// With the policy `latest`, the index of the waiting message in `NetMessageQueue`; -1 if no message waits.
  ///
  /// The index is atomic although the lock guards it: for a plain variable, Swift's exclusivity check would cost time
  /// for every message.
  private let slot = Atomic<Int32>(-1)
  var waiting: Int32 {
    get { slot.load(ordering: .relaxed) }
    set { slot.store(newValue, ordering: .relaxed) }
  }
  /// With the policy `ordered`, the time of each sender's last delivered message, by the sender's number in
  /// `NetSenders`.
  private var delivered: [Int: HostTime] = [:]

  init(address: [UInt8], hash: UInt64, handlers: [NetMethod]) {
    self.address = address
    text = String(decoding: address, as: UTF8.self)
    self.hash = hash
    self.handlers = handlers
    // If the callbacks of an address have different policies, each gets at least what it asked for.
    let policies = handlers.map(\.policy)
    policy =
      policies.allSatisfy { $0 == .latest } && !policies.isEmpty
      ? .latest : policies.contains(.every) ? .every : .ordered
    hasAhead = handlers.contains(where: \.isAhead)
    hasOnTime = handlers.contains { !$0.isAhead }
    let limits = handlers.map { handler -> Double? in
      if case .dropAfter(let seconds) = handler.late { seconds } else { nil }
    }
    longestLate = limits.contains { $0 == nil } ? nil : limits.compactMap { $0 }.max()
  }

  /// Returns whether the policy `ordered` lets a message be delivered; if true, also stores the message's time.
  ///
  /// The result is false if a message of the same sender with a later time was delivered before. With other policies,
  /// and for senders that are not counted separately, the result is always true.
  func keepsOrder(_ time: HostTime, from sender: Int) -> Bool {
    // Senders with number 0 are many, each with its own clock.
    guard policy == .ordered, sender != 0 else { return true }
    if let last = delivered[sender], time < last { return false }
    delivered[sender] = time
    return true
  }
}
