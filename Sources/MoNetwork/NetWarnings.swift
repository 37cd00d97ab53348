import Glibc
import MoCore
import MoRuntime
import Synchronization

/// What went wrong with others, counted each time and logged once: whoever is refused, or does not listen, mostly is so
/// again at once.
///
/// - Thread: any.
final class NetWarnings: Sendable {
  private let count = Atomic<Int>(0)
  private let hasRefused = Atomic<Bool>(false)
  private let silent = Locked<Set<NetAddress>>([])

  /// So many addresses are remembered; then all may be complained of again.
  private static let most = 256

  /// How many datagrams the network brought back.
  var undelivered: Int { count.load(ordering: .relaxed) }

  /// Somebody who asked for a connection does not get one.
  func refused(_ what: String, _ why: String) {
    guard !hasRefused.exchange(true, ordering: .relaxed) else { return }
    MoLog.log(.warning, "\(what): \(why)")
  }

  /// The network brought a datagram back; why, and what to look at.
  func undelivered(_ address: NetAddress, _ error: Int32) -> String {
    let reason =
      error == ECONNREFUSED
      ? "nobody listens at \(address): is the program there running, and is the port right?"
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
