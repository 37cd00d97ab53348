import CEvdev
import Glibc
import MoProgram

/// The accelerometers that the kernel's input system has now.
///
/// What a device is stands in sysfs, which everybody may read: so keyboards are not opened in vain, and an
/// accelerometer that may not be opened is still known for one.
enum EvdevList {
  /// Where the kernel's input devices are.
  static let folder = "/dev/input"

  /// The paths of all accelerometers that may be read, lowest number first.
  static func accelerometers() -> [String] {
    events().filter { path in
      if isAccelerometer(path) == false { return false }
      let device = try? EvdevAccelerometer(path: path, deliver: { _ in })
      return device != nil
    }
  }

  /// The paths of accelerometers that may not be read.
  static func forbidden() -> [String] {
    events().filter { isAccelerometer($0) == true && access($0, R_OK) != 0 && errno == EACCES }
  }

  /// What a device calls itself.
  static func title(_ path: String) -> String { attribute("name", of: path) ?? "" }

  /// Whether a device's properties, as sysfs writes them, say that it is an accelerometer.
  ///
  /// - Parameter bitmap: hexadecimal words, the one with the lowest bits last.
  static func isAccelerometer(properties bitmap: String) -> Bool {
    guard let word = bitmap.split(whereSeparator: \.isWhitespace).last, let bits = UInt64(word, radix: 16)
    else { return false }
    return bits & 1 << UInt64(INPUT_PROP_ACCELEROMETER) != 0
  }

  /// As far as sysfs tells; nil where it does not.
  private static func isAccelerometer(_ path: String) -> Bool? {
    attribute("properties", of: path).map { isAccelerometer(properties: $0) }
  }

  /// What sysfs says about a device, without the line's end.
  private static func attribute(_ name: String, of path: String) -> String? {
    guard let event = path.split(separator: "/").last else { return nil }
    return SystemFiles.line(of: "/sys/class/input/\(event)/device/\(name)")
  }

  private static func events() -> [String] {
    SystemFiles.names(in: folder).filter { $0.hasPrefix("event") }.map { "\(folder)/\($0)" }
  }
}
