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

  /// - Parameter wake: ends a wait, and is taken down.
  init(_ wake: MoSignal) { self.wake = wake }

  /// Waits until one of `descriptors` is ready, the time is over, or the signal is raised.
  ///
  /// - Parameter nanoseconds: how long at most; below 0 for ever.
  mutating func wait(for descriptors: some Sequence<Int32>, nanoseconds: Int64) {
    requests.removeAll(keepingCapacity: true)
    requests.append(InputWait.request(wake.descriptor))
    for descriptor in descriptors { requests.append(InputWait.request(descriptor)) }
    // What a wait that a signal broke off leaves behind is no answer.
    readyCount = max(0, momu_poll(&requests, UInt(requests.count), nanoseconds))
    if isReady(wake.descriptor) { wake.lower() }
  }

  /// Whether something can be read at once, or has come to its end.
  func isReady(_ descriptor: Int32) -> Bool {
    guard readyCount > 0 else { return false }
    for request in requests where request.fd == descriptor { return request.revents != 0 }
    return false
  }

  private static func request(_ descriptor: Int32) -> pollfd {
    pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }
}
