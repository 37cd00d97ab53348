import CMoSystem
import Glibc
import MoRuntime

/// The descriptors that `mo-net` always waits for: its wake-up event, the reports about interfaces, and the UDP
/// sockets.
///
/// The kernel keeps the list of these descriptors between the waits (epoll). So when a single message arrives, the
/// kernel need not check all idle descriptors.
///
/// - Thread: `mo-net` alone.
struct NetPoller: ~Copyable {
  /// The epoll descriptor, which is readable while a descriptor of the list is ready.
  let descriptor: Int32
  private(set) var datagrams: [NetSocket] = []
  private let ready: UnsafeMutablePointer<momu_ready>

  /// A descriptor that is ready.
  enum Event {
    case wake
    case interfaces
    case datagrams(NetSocket, hasInput: Bool, hasReport: Bool)
  }

  private static let most = 8

  init(_ descriptor: Int32, wake: Int32, interfaces: Int32) {
    self.descriptor = descriptor
    ready = .allocate(capacity: Self.most)
    ready.initialize(repeating: momu_ready(), count: Self.most)
    momu_watch_add(descriptor, wake, 0)
    if interfaces >= 0 { momu_watch_add(descriptor, interfaces, 1) }
  }

  deinit { ready.deallocate() }

  /// Replaces the UDP sockets of the list with the given sockets.
  mutating func follow(_ sockets: [NetSocket]) {
    guard !sockets.elementsEqual(datagrams, by: ===) else { return }
    for socket in datagrams { momu_watch_remove(descriptor, socket.descriptor) }
    datagrams = sockets
    for (index, socket) in sockets.enumerated()
    where !momu_watch_add(descriptor, socket.descriptor, UInt32(index + 2)) {
      MoLog.log(.warning, "MoMu cannot read port \(socket.port): the kernel has no memory to watch it")
    }
  }

  /// Polls the list, and returns the number of ready descriptors, at most 8.
  ///
  /// - Parameter waits: whether to wait, without a time limit, until a descriptor is ready.
  func take(waits: Bool) -> Int { Int(momu_watch_take(descriptor, waits ? -1 : 0, ready, Int32(Self.most))) }

  /// The ready descriptor with the given index; nil for a socket that has left the list.
  ///
  /// The index counts from 0, and must be less than the result of the last `take`.
  subscript(index: Int) -> Event? {
    let found = ready[index]
    switch found.number {
    case 0: return .wake
    case 1: return .interfaces
    default:
      let place = Int(found.number) - 2
      guard place < datagrams.count else { return nil }
      return .datagrams(datagrams[place], hasInput: found.has_input, hasReport: found.has_report)
    }
  }
}
