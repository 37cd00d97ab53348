import CMoSystem
import Glibc
import MoRealTime

/// Waits for the descriptors of many inputs at once, and knows afterwards which of them have something to say.
///
/// Its memory is used again at each turn.
struct InputWait {
  private let wake: MoSignal
  private var requests: [pollfd] = []
  /// How many descriptors are ready; 0 where the time was over.
  private var readyCount: Int32 = 0
  /// Whether the last wait was ended by the signal.
  private(set) var wasWoken = false

  /// - Parameter wake: ends a wait, and is taken down.
  init(_ wake: MoSignal) { self.wake = wake }

  /// Begins anew: waits for none but the signal.
  mutating func begin() {
    requests.removeAll(keepingCapacity: true)
    readyCount = 0
    add(wake.descriptor)
  }

  /// Waits for one more.
  mutating func add(_ descriptor: Int32) {
    requests.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
  }

  /// Waits until one of the descriptors is ready, the time is over, or the signal is raised.
  ///
  /// - Parameter nanoseconds: how long at most; below 0 for ever.
  mutating func wait(nanoseconds: Int64) {
    // What a wait that a signal broke off leaves behind is no answer.
    readyCount = max(0, momu_poll(&requests, UInt(requests.count), nanoseconds))
    wasWoken = isReady(wake.descriptor)
    if wasWoken { wake.lower() }
  }

  /// Whether something can be read at once, or has come to its end.
  func isReady(_ descriptor: Int32) -> Bool {
    guard readyCount > 0 else { return false }
    for request in requests where request.fd == descriptor { return request.revents != 0 }
    return false
  }
}
