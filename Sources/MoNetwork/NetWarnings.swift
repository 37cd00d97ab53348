import Glibc
import MoCore
import MoRuntime
import Synchronization

/// Warnings about refused connections and undelivered datagrams: repeated faults are not logged again.
///
/// A refused machine usually connects again immediately, and further datagrams to a machine that does not listen fail
/// too.
///
/// - Thread: any.
final class NetWarnings: Sendable {
  private let count = Atomic<Int>(0)
  private let hasRefused = Atomic<Bool>(false)
  private let silent = Locked<Set<NetAddress>>([])

  /// The largest number of addresses in `silent`, the set of the addresses about which a warning was logged.
  ///
  /// When this number is reached, all addresses are forgotten, and warnings about them may be logged again.
  private static let most = 256

  /// The number of datagrams that the network reported as not delivered.
  var undelivered: Int { count.load(ordering: .relaxed) }

  /// Logs a warning about a refused connection; only the first call logs a warning.
  func refused(_ what: String, _ why: String) {
    guard !hasRefused.exchange(true, ordering: .relaxed) else { return }
    MoLog.log(.warning, "\(what): \(why)")
  }

  /// Handles a datagram that was not delivered: counts it, and returns the reason with advice for the user.
  ///
  /// The text is also logged, once for each address.
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
