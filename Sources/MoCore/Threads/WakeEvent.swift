import CMoSystem
import Glibc

/// A flag that any thread raises and one thread waits for.
///
/// It is an eventfd, so it can be polled together with devices and sockets.
///
/// - Thread: any raises; one waits.
/// - Real-time safe: no. `raise()` is one system call that does not block; the audio thread may call it outside its
///   callback.
package final class WakeEvent: @unchecked Sendable {
  // Unchecked: an immutable file descriptor.
  package let descriptor: Int32

  package init() { descriptor = momu_eventfd() }

  deinit { if descriptor >= 0 { close(descriptor) } }

  package func raise() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  /// Lowers the flag, and returns whether it was up.
  @discardableResult
  package func lower() -> Bool {
    var count: UInt64 = 0
    return read(descriptor, &count, 8) == 8
  }

  /// Waits until the flag is up, or until the duration is over; lowers the flag, and returns whether it was up.
  ///
  /// With nil, the function waits until the flag is up.
  @discardableResult
  package func wait(for duration: Duration?) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = momu_poll(&request, 1, duration.map { max(0, $0.nanoseconds) } ?? -1)
    return lower()
  }

  /// Waits until this flag or another flag is up, or until the duration is over; lowers only this flag.
  ///
  /// With nil, the function waits until a flag is up.
  package func wait(for duration: Duration?, or other: WakeEvent) {
    var requests = [descriptor, other.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = momu_poll(&requests, 2, duration.map { max(0, $0.nanoseconds) } ?? -1)
    lower()
  }
}

/// A bounded queue of work for the main thread, which does this work while `MoApp` waits for the program's end.
///
/// - Thread: `put` on any thread; `runAll` on the main thread.
package final class MainQueue: Sendable {
  /// The flag that is up while work waits in the queue.
  package let signal = WakeEvent()
  private let waiting = Locked<[@Sendable () -> Void]>([])

  /// The largest number of closures that wait in the queue.
  static let capacity = 4096

  package init() {}

  /// Appends work; returns false if the queue is full.
  package func put(_ work: @escaping @Sendable () -> Void) -> Bool {
    let hasRoom = waiting.withLock { waiting in
      guard waiting.count < Self.capacity else { return false }
      waiting.append(work)
      return true
    }
    signal.raise()
    return hasRoom
  }

  /// Runs the waiting work, in order.
  package func runAll() {
    signal.lower()
    let work = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for each in work { each() }
  }
}
