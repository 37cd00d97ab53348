import CMoSystem
import Glibc
import MoCore

/// A wait for the descriptors of many inputs together; after the wait, `isReady` tells which descriptors can be read.
///
/// The kernel keeps the list of descriptors that do not change (epoll). Other descriptors are added at each turn of the
/// event loop. The memory of the wait is reused at each turn.
struct EventWait {
  private let wake: WakeEvent
  /// The list of descriptors that the kernel keeps; nil if the kernel cannot create a list.
  private var kept: KeptDescriptors?
  private var requests: [pollfd] = []
  /// The number of valid elements of `requests` in this turn of the event loop.
  private var count = 0
  /// The number of descriptors in `requests` that were ready after the last wait; 0 after a timeout.
  private var readyCount: Int32 = 0
  /// Whether the wake event ended the last wait.
  private(set) var wasWoken = false

  /// - Parameter wake: the event that ends a wait when it is raised; after the wait, it is lowered again.
  init(_ wake: WakeEvent) { self.wake = wake }

  /// Starts a turn of the event loop: removes the descriptors that `add` added in the previous turn.
  mutating func begin() { (count, readyCount) = (0, 0) }

  /// Replaces the descriptors that the kernel keeps; all waits after the next `begin` include them.
  ///
  /// The index of a descriptor in the array identifies it (`isReady(kept:)`).
  ///
  /// - Returns: for each descriptor, whether the kernel keeps it; the caller must add the others at each turn.
  mutating func register(_ descriptors: [Int32?]) -> [Bool] {
    kept = KeptDescriptors(wake.descriptor)
    guard let kept else { return descriptors.map { _ in false } }
    return descriptors.enumerated().map { index, descriptor in
      descriptor.map { kept.add($0, index) } ?? false
    }
  }

  /// Adds a descriptor to the wait of this turn.
  mutating func add(_ descriptor: Int32) {
    if count == 0 { request(kept?.list ?? wake.descriptor) }
    request(descriptor)
  }

  private mutating func request(_ descriptor: Int32) {
    let request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    if count < requests.count { requests[count] = request } else { requests.append(request) }
    count += 1
  }

  /// Waits until a descriptor is ready, the time is over, or the wake event is raised.
  ///
  /// - Parameter nanoseconds: the longest wait; below 0 for ever.
  mutating func wait(nanoseconds: Int64) {
    if kept == nil, count == 0 { request(wake.descriptor) }
    let polls = count > 0
    // After a wait that a signal interrupted, the results are not valid.
    if polls { readyCount = max(0, momu_poll(&requests, UInt(count), nanoseconds)) }
    // The first request is for the kernel's list; without such a list, it is for the wake event.
    let isFirstReady = readyCount > 0 && requests[0].revents != 0
    if let kept {
      let longest = polls ? 0 : nanoseconds
      kept.found =
        polls && !isFirstReady
        ? 0 : Int(momu_watch_take(kept.list, longest, kept.ready, KeptDescriptors.most))
    }
    wasWoken = kept?.isWoken ?? isFirstReady
    if wasWoken { wake.lower() }
  }

  /// Returns whether a descriptor that was added can be read without waiting, or has reached its end.
  func isReady(_ descriptor: Int32) -> Bool {
    guard readyCount > 0 else { return false }
    for index in 1..<max(1, count) where requests[index].fd == descriptor {
      return requests[index].revents != 0
    }
    return false
  }

  /// Returns whether the kept descriptor with this index can be read without waiting, or has reached its end.
  func isReady(kept index: Int) -> Bool { kept?.isReady(index) ?? false }
}

/// A list of descriptors that the kernel keeps (epoll), beginning with the wake event that ends a wait.
private final class KeptDescriptors {
  /// The descriptor of the epoll list itself; it is readable while any descriptor in the list is readable.
  let list: Int32
  /// The memory for the ready descriptors that a wait finds, at most `most` of them.
  let ready: UnsafeMutablePointer<momu_ready>
  /// The number of ready descriptors that the last wait found.
  var found = 0

  /// The maximum number of ready descriptors that a wait finds; the next wait finds the others.
  static let most: Int32 = 16

  /// Creates the list with the wake event's descriptor; returns nil if the kernel cannot create a list.
  init?(_ wake: Int32) {
    list = momu_watch()
    ready = .allocate(capacity: Int(Self.most))
    ready.initialize(repeating: momu_ready(), count: Int(Self.most))
    guard list >= 0, momu_watch_add(list, wake, 0) else { return nil }
  }

  deinit {
    if list >= 0 { close(list) }
    ready.deallocate()
  }

  /// Adds a descriptor, which `isReady` identifies by `index`; returns false if the kernel refuses the descriptor.
  func add(_ descriptor: Int32, _ index: Int) -> Bool { momu_watch_add(list, descriptor, UInt32(index + 1)) }

  var isWoken: Bool { contains(0) }

  func isReady(_ index: Int) -> Bool { contains(UInt32(index + 1)) }

  private func contains(_ number: UInt32) -> Bool {
    for index in 0..<found where ready[index].number == number { return true }
    return false
  }
}
