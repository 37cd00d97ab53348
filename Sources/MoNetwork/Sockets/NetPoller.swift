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
  func poll(waits: Bool) -> Int { Int(momu_watch_take(descriptor, waits ? -1 : 0, ready, Int32(Self.most))) }

  /// The ready descriptor with the given index; nil for a socket that has left the list.
  ///
  /// The index counts from 0, and must be less than the result of the last `poll`.
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

/// The decision how long `mo-net` waits for more messages after a delivery, before it reads the sockets again.
///
/// A wake-up of the thread costs more than the handling of a message. If single messages arrive in quick succession,
/// the thread therefore waits a little, and then handles several messages after a single wake-up. The delay is too
/// short to be heard. Network cards delay their interrupts for the same reason. A message that arrives after a pause is
/// delivered immediately.
///
/// - Thread: `mo-net` alone; a plain value.
package struct NetCoalescing {
  /// The duration of each wait for more messages, in nanoseconds: the largest delay that coalescing adds to a message.
  static let length: Int64 = 600_000
  /// The number of messages in each measurement of the message rate.
  static let sample = 64
  /// The message rate, in messages per second, above which the thread waits for more messages.
  ///
  /// Sensors and pings, with 1,000 messages per second, stay below this rate, so their messages are not delayed.
  static let rate: Int64 = 2_500

  private var start: Int64 = .min
  private var count = 0
  private var gathers = false

  package init() {}

  /// Returns the number of nanoseconds for which to wait for more messages; 0 for no wait.
  ///
  /// - Parameters:
  ///   - messages: the number of messages that were read just now; all of them have been delivered.
  ///   - now: the host time, in nanoseconds.
  package mutating func pause(after messages: Int, at now: Int64) -> Int64 {
    guard messages > 0 else { return 0 }
    count += messages
    if count >= Self.sample {
      // The first sample has no start time, so it tells nothing.
      gathers = start != .min && now &- start < Int64(count) * 1_000_000_000 / Self.rate
      (start, count) = (now, 0)
    }
    // A burst is gathered already, and the kernel's buffer is limited.
    return gathers && messages < NetBackupReader.burst ? Self.length : 0
  }
}
