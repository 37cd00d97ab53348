import CMoSystem
import Glibc
import MoCore
import Synchronization

/// A watch for devices that come, go, or change their access rights, in a folder such as `/dev/input`.
///
/// The folder may be missing at first, so its parent is also watched.
package final class DeviceWatch: EventSource {
  package let name: String
  package let descriptor: Int32?
  package let keepsDescriptor = true
  private let folder: String
  private let awaited: AwaitedDevice?
  private let changed: @Sendable () -> Void
  /// The time of the last call of `changed`.
  private var looked = HostTime.distantPast

  /// The seconds between two checks for an awaited device.
  private static let pause = 1.0

  /// - Parameters:
  ///   - awaited: a device that may arrive without a change in the folder, such as a device that is named by a link in
  ///     another folder (`/dev/serial/by-id`). While it is awaited, `changed` is also called every second.
  ///   - changed: called after every change, on the thread that services this event source.
  package init(
    folder: String, awaited: AwaitedDevice? = nil, changed: @escaping @Sendable () -> Void
  ) {
    name = "watch:\(folder)"
    self.folder = folder
    self.awaited = awaited
    self.changed = changed
    let watch = momu_inotify()
    descriptor = watch >= 0 ? watch : nil
    watchFolder()
  }

  deinit { if let descriptor { close(descriptor) } }

  package var nextTime: HostTime? {
    awaited?.since.map { max($0, looked).advanced(bySeconds: Self.pause) }
  }

  package func service(until now: HostTime) {
    let hasChanged = hasChanged()
    guard hasChanged || isDue(at: now) else { return }
    looked = now
    if hasChanged { watchFolder() }
    changed()
  }

  private func hasChanged() -> Bool {
    guard let descriptor else { return false }
    var bytes = [UInt8](repeating: 0, count: 4096)
    var hasChanged = false
    while read(descriptor, &bytes, bytes.count) > 0 { hasChanged = true }
    return hasChanged
  }

  private func watchFolder() {
    guard let descriptor else { return }
    // The parent too: the folder appears with the first device and disappears with the last.
    let parent = folder.split(separator: "/").dropLast().joined(separator: "/")
    _ = momu_inotify_watch(descriptor, "/" + parent)
    _ = momu_inotify_watch(descriptor, folder)
  }
}

/// A shared value: the time since which the program has been waiting for a missing device; nil if it waits for no
/// device.
///
/// The object that waits for the device sets the time, and `DeviceWatch` reads the time at each turn of the event loop.
///
/// - Thread: any.
package final class AwaitedDevice: Sendable {
  private let nanoseconds = Atomic<Int64>(.min)
  /// The seconds until a device that failed immediately is tried again.
  private let pause = Atomic<Int>(1)

  package init() {}

  /// The time since which the device is awaited; nil while no device is awaited.
  package var since: HostTime? {
    get {
      let nanoseconds = nanoseconds.load(ordering: .relaxed)
      return nanoseconds == .min ? nil : HostTime(nanoseconds: nanoseconds)
    }
    set { nanoseconds.store(newValue?.nanoseconds ?? .min, ordering: .relaxed) }
  }

  /// Begins to wait for a device that was lost or cannot be read.
  ///
  /// A device that fails again and again within a second is tried after 1, 2, 4, 8, and then every 10 s. Without
  /// these pauses, the log would get two lines each second.
  ///
  /// - Parameter opened: the time at which the lost device was opened; nil if none was open.
  package func begin(at now: HostTime, opened: HostTime?) {
    guard let opened, now.seconds(since: opened) <= 1 else {
      pause.store(1, ordering: .relaxed)
      since = now
      return
    }
    let seconds = pause.load(ordering: .relaxed)
    pause.store(min(2 * seconds, 10), ordering: .relaxed)
    // A watch checks a second after this time, and also after each change in its folder.
    since = now.advanced(bySeconds: Double(seconds - 1))
  }
}
