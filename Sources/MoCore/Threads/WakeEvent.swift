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
