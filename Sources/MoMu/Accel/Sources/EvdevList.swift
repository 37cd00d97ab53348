import CEvdev
import Glibc

/// The accelerometers that the kernel's input system has now.
enum EvdevList {
  /// Where the kernel's input devices are.
  static let folder = "/dev/input"

  /// The paths of all accelerometers that may be read, lowest number first.
  static func accelerometers() -> [String] {
    events().filter { path in
      let device = try? EvdevAccelerometer(path: path, deliver: { _ in })
      return device != nil
    }
  }

  /// The paths of event devices that may not be read, so that nobody knows what they are.
  static func forbidden() -> [String] { events().filter { access($0, R_OK) != 0 && errno == EACCES } }

  /// What a device calls itself.
  static func title(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var device: OpaquePointer?
    guard libevdev_new_from_fd(file, &device) == 0, let device else { return "" }
    defer { libevdev_free(device) }
    return libevdev_get_name(device).map { String(cString: $0) } ?? ""
  }

  private static func events() -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var numbers: [Int] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasPrefix("event"), let number = Int(name.dropFirst(5)) { numbers.append(number) }
    }
    return numbers.sorted().map { "\(folder)/event\($0)" }
  }
}
