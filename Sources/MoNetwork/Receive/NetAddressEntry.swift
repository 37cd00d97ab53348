import MoCore
import Synchronization

/// The callbacks of one address, found once and kept.
///
/// Everything that changes is guarded by the inbound's lock.
final class NetAddressEntry: @unchecked Sendable {
  let address: [UInt8]
  /// The address as a message shows it.
  let text: String
  let hash: UInt64
  let handlers: [NetMethod]
  let policy: NetPolicy
  /// Whether any callback wants what lies in the future at once, and whether any wants it on time.
  let hasAhead: Bool
  let hasOnTime: Bool
  /// How late a message may be in seconds to be of use to any; nil for any time.
  let longestLate: Double?
  /// With `latest`, the slot of the message that waits; -1 for none.
  ///
  /// Atomic, though guarded: Swift watches each use of a plain variable, which every message would pay for.
  private let slot = Atomic<Int32>(-1)
  var waiting: Int32 {
    get { slot.load(ordering: .relaxed) }
    set { slot.store(newValue, ordering: .relaxed) }
  }
  /// With `ordered`, the time of the last one delivered, by sender.
  private var delivered: [Int: HostTime] = [:]

  init(address: [UInt8], hash: UInt64, handlers: [NetMethod]) {
    self.address = address
    text = String(decoding: address, as: UTF8.self)
    self.hash = hash
    self.handlers = handlers
    // Where several callbacks of an address differ, none gets less than it asked for.
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

  /// Whether a message keeps the order that `ordered` promises, which it then notes.
  func keepsOrder(_ time: HostTime, from sender: Int) -> Bool {
    // Those that share number 0 are many, each with a clock of its own.
    guard policy == .ordered, sender != 0 else { return true }
    if let last = delivered[sender], time < last { return false }
    delivered[sender] = time
    return true
  }
}
