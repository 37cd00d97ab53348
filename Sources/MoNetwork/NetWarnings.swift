import Glibc
import MoCore
import MoRuntime
import Synchronization

/// Faults of other machines, counted each time but logged once.
///
/// A machine that is refused or does not listen usually fails again immediately.
///
/// - Thread: any.
final class NetWarnings: Sendable {
  private let count = Atomic<Int>(0)
  private let hasRefused = Atomic<Bool>(false)
  private let silent = Locked<Set<NetAddress>>([])

  /// The number of addresses that are remembered; when it is reached, all may be logged again.
  private static let most = 256

  /// The number of datagrams that came back.
  var undelivered: Int { count.load(ordering: .relaxed) }

  /// Logs that a request for a connection was refused, once.
  func refused(_ what: String, _ why: String) {
    guard !hasRefused.exchange(true, ordering: .relaxed) else { return }
    MoLog.log(.warning, "\(what): \(why)")
  }

  /// Records a datagram that came back, and returns the reason and what to check.
  func undelivered(_ address: NetAddress, _ error: Int32) -> String {
    let reason =
      error == ECONNREFUSED
      ? "no program listens at \(address): is the program there running, and is the port right?"
      : "\(address) does not answer: is it switched on, and on this network? (\(String(cString: strerror(error))))"
    count.wrappingAdd(1, ordering: .relaxed)
    let isNew = silent.withLock { addresses in
      if addresses.count >= Self.most { addresses = [] }
      return addresses.insert(address).inserted
    }
    if isNew { MoLog.log(.warning, reason) }
    return reason
  }
}
