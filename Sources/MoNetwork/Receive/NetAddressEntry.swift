import MoCore
import Synchronization

/// The callbacks of an address, found once and kept.
///
/// The inbound's lock guards everything that changes.
final class NetAddressEntry: @unchecked Sendable {
  let address: [UInt8]
  /// The address as messages show it.
  let text: String
  let hash: UInt64
  let handlers: [NetMethod]
  let policy: NetPolicy
  /// Whether any callback wants future messages immediately, and whether any wants them on time.
  let hasAhead: Bool
  let hasOnTime: Bool
  /// The largest lateness with which any callback still accepts a message, in seconds; nil for no limit.
  let longestLate: Double?
  /// For `latest`, the slot of the message that waits; -1 for none.
  ///
  /// It is atomic although the lock guards it: for a plain variable, Swift's exclusivity check would cost time for
  /// every message.
  private let slot = Atomic<Int32>(-1)
  var waiting: Int32 {
    get { slot.load(ordering: .relaxed) }
    set { slot.store(newValue, ordering: .relaxed) }
  }
  /// For `ordered`, the time of the last delivered message, by sender.
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

  /// Returns whether a message keeps the order that `ordered` promises; if so, records the message's time.
  func keepsOrder(_ time: HostTime, from sender: Int) -> Bool {
    // Senders with number 0 are many, each with its own clock.
    guard policy == .ordered, sender != 0 else { return true }
    if let last = delivered[sender], time < last { return false }
    delivered[sender] = time
    return true
  }
}
