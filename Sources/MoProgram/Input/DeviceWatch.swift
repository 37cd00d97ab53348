import CMoSystem
import Glibc
import MoTime

/// Notices devices that come, go, or change their access rights, in a folder of the kernel's.
///
/// The folder may be missing at first: then its parent is watched for it.
package final class DeviceWatch: InputSource {
  package let name: String
  package let descriptor: Int32?
  package let nextTime: HostTime? = nil
  private let folder: String
  private let changed: @Sendable () -> Void

  /// - Parameter changed: called on the servicing thread whenever something changed.
  package init(folder: String, changed: @escaping @Sendable () -> Void) {
    name = "watch:\(folder)"
    self.folder = folder
    self.changed = changed
    let watch = momu_inotify()
    descriptor = watch >= 0 ? watch : nil
    watchFolder()
  }

  deinit { if let descriptor { close(descriptor) } }

  package func service(until now: HostTime) {
    guard let descriptor else { return }
    var bytes = [UInt8](repeating: 0, count: 4096)
    var hasChanged = false
    while read(descriptor, &bytes, bytes.count) > 0 { hasChanged = true }
    guard hasChanged else { return }
    watchFolder()
    changed()
  }

  private func watchFolder() {
    guard let descriptor else { return }
    // The parent too: the folder itself comes with the first device and goes with the last.
    let parent = folder.split(separator: "/").dropLast().joined(separator: "/")
    _ = momu_inotify_watch(descriptor, "/" + parent)
    _ = momu_inotify_watch(descriptor, folder)
  }
}
