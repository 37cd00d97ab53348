import CMoSystem
import Glibc
import MoCore

/// Waits for the descriptors of many inputs at once, and knows afterwards which of them have something to say.
///
/// Its memory is used again at each turn. Descriptors that are ready seldom stand in a list that the kernel keeps, and are
/// asked only when one of them is ready.
struct EventWait {
  private let wake: WakeEvent
  private var seldom: SeldomReady?
  private var requests: [pollfd] = []
  /// How many of them are of this turn.
  private var count = 0
  /// How many descriptors are ready; 0 where the time was over.
  private var readyCount: Int32 = 0
  /// Whether the last wait was ended by the signal.
  private(set) var wasWoken = false

  /// - Parameter wake: ends a wait, and is taken down.
  init(_ wake: WakeEvent) { self.wake = wake }

  /// Begins anew: waits for none but the signal and those that are ready seldom.
  mutating func begin() {
    (count, readyCount) = (0, 0)
    add(wake.descriptor)
    if let seldom { add(seldom.list) }
  }

  /// Waits for these, too, from the next beginning on, until there are others.
  ///
  /// - Returns: whether the kernel keeps them; otherwise each is to be added at each turn.
  mutating func keep(_ descriptors: [Int32]) -> Bool {
    seldom = nil
    guard !descriptors.isEmpty else { return true }
    seldom = SeldomReady(descriptors)
    return seldom != nil
  }

  /// Waits for one more.
  mutating func add(_ descriptor: Int32) {
    let request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if count < requests.count { requests[count] = request } else { requests.append(request) }
    count += 1
  }

  /// Waits until one of the descriptors is ready, the time is over, or the signal is raised.
  ///
  /// - Parameter nanoseconds: how long at most; below 0 for ever.
  mutating func wait(nanoseconds: Int64) {
    // What a wait that a signal broke off leaves behind is no answer.
    readyCount = max(0, momu_poll(&requests, UInt(count), nanoseconds))
    wasWoken = hasHeard && isReady(wake.descriptor)
    if wasWoken { wake.lower() }
  }

  /// Whether any of the descriptors is ready.
  var hasHeard: Bool { readyCount > 0 }

  /// Whether something can be read at once, or has come to its end.
  func isReady(_ descriptor: Int32) -> Bool {
    for index in 0..<count where requests[index].fd == descriptor { return requests[index].revents != 0 }
    guard let seldom, isReady(seldom.list) else { return false }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return momu_poll(&request, 1, 0) > 0
  }

  /// Descriptors in a list that the kernel keeps (epoll).
  private final class SeldomReady {
    /// Is readable while one of them is.
    let list: Int32

    /// Nil where the kernel does not take them all.
    init?(_ descriptors: [Int32]) {
      list = momu_watch()
      guard list >= 0 else { return nil }
      for descriptor in descriptors where !momu_watch_add(list, descriptor, 0) { return nil }
    }

    deinit { if list >= 0 { close(list) } }
  }
}
