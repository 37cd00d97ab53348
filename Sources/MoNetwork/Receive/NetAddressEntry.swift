import MoCore
import Synchronization

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
