import CMoSystem
import Glibc
import MoCore

/// A wait for the descriptors of many inputs together, which then tells which of them are ready.
///
/// Its memory is reused at each turn. Descriptors that are seldom ready are in a list that the kernel keeps. They are
/// checked only when one of them is ready.
struct EventWait {
  private let wake: WakeEvent
  private var seldom: SeldomReady?
  private var requests: [pollfd] = []
  /// The number of requests in this turn.
  private var count = 0
  /// The number of ready descriptors; 0 after a timeout.
  private var readyCount: Int32 = 0
  /// Whether the signal ended the last wait.
  private(set) var wasWoken = false

  /// - Parameter wake: the signal that ends a wait, and is then lowered.
  init(_ wake: WakeEvent) { self.wake = wake }

  /// Starts anew, with only the signal and the descriptors that are seldom ready.
  mutating func begin() {
    (count, readyCount) = (0, 0)
    add(wake.descriptor)
    if let seldom { add(seldom.list) }
  }

  /// Waits for these descriptors too, from the next `begin` until the next call.
  ///
  /// - Returns: whether the kernel keeps them; otherwise the caller must add each at each turn.
  mutating func keep(_ descriptors: [Int32]) -> Bool {
    seldom = nil
    guard !descriptors.isEmpty else { return true }
    seldom = SeldomReady(descriptors)
    return seldom != nil
  }

  /// Adds a descriptor to the wait.
  mutating func add(_ descriptor: Int32) {
    let request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if count < requests.count { requests[count] = request } else { requests.append(request) }
    count += 1
  }

  /// Waits until one of the descriptors is ready, the time is over, or the signal is raised.
  ///
  /// - Parameter nanoseconds: the longest wait; below 0 for ever.
  mutating func wait(nanoseconds: Int64) {
    // After a wait that a signal interrupted, the results are not valid.
    readyCount = max(0, momu_poll(&requests, UInt(count), nanoseconds))
    wasWoken = hasHeard && isReady(wake.descriptor)
    if wasWoken { wake.lower() }
  }

  /// Whether any of the descriptors is ready.
  var hasHeard: Bool { readyCount > 0 }

  /// Returns whether a descriptor can be read without waiting, or has reached its end.
  func isReady(_ descriptor: Int32) -> Bool {
    for index in 0..<count where requests[index].fd == descriptor { return requests[index].revents != 0 }
    guard let seldom, isReady(seldom.list) else { return false }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return momu_poll(&request, 1, 0) > 0
  }

  /// A list of descriptors that the kernel keeps (epoll).
  private final class SeldomReady {
    /// The descriptor of the list, readable while one of its members is.
    let list: Int32

    /// Returns nil if the kernel does not accept all of them.
    init?(_ descriptors: [Int32]) {
      list = momu_watch()
      guard list >= 0 else { return nil }
      for descriptor in descriptors where !momu_watch_add(list, descriptor, 0) { return nil }
    }

    deinit { if list >= 0 { close(list) } }
  }
}
