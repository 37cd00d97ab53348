import Glibc
import MoRuntime

/// A device of the kernel's Industrial I/O, as sysfs shows it: a folder of attributes, a small file each.
///
/// - Source: the kernel's Documentation/ABI/testing/sysfs-bus-iio.
package struct IIODevice: Sendable {
  /// Such as `/sys/bus/iio/devices/iio:device0`.
  package let folder: String

  /// Where the kernel shows its devices.
  package static let devices = "/sys/bus/iio/devices"

  /// The device of a number, such as `0`, of a driver's name, such as `accel_3d`, or in a folder.
  package init(_ detail: String) {
    let isNumber = detail.allSatisfy(\.isNumber)
    let named = isNumber || detail.contains("/") ? nil : IIODevice.all().first { $0.title == detail }
    folder = named?.folder ?? (detail.contains("/") ? detail : "\(IIODevice.devices)/iio:device\(detail)")
  }

  /// All that there are, lowest number first.
  package static func all(in root: String = devices) -> [IIODevice] {
    SystemFiles.names(in: root).filter { $0.hasPrefix("iio:device") }.map { IIODevice("\(root)/\($0)") }
  }

  /// What an option calls it: its number, or its folder where that is elsewhere.
  package var detail: String {
    let prefix = "\(IIODevice.devices)/iio:device"
    return folder.hasPrefix(prefix) ? String(folder.dropFirst(prefix.count)) : folder
  }

  /// What the driver calls it.
  package var title: String { SystemFiles.line(of: "\(folder)/name") ?? "" }

  /// The single values that it measures, as the kernel calls them without `in_`, each with the attribute that says it.
  ///
  /// A driver gives either the finished value or the raw one.
  package var channels: [(name: String, attribute: String)] {
    SystemFiles.names(in: folder).compactMap { file in
      guard file.hasPrefix("in_"), let end = ["_input", "_raw"].first(where: { file.hasSuffix($0) }) else {
        return nil
      }
      return (String(file.dropFirst(3).dropLast(end.count)), file)
    }
  }

  /// Whether there is an attribute; one may be there and not be told while the device's buffer is on.
  package func has(_ attribute: String) -> Bool { access("\(folder)/\(attribute)", F_OK) == 0 }

  /// An attribute's text; nil where there is none.
  package func text(_ attribute: String) -> String? { SystemFiles.line(of: "\(folder)/\(attribute)") }

  /// An attribute's number; nil where there is none, or it says something else.
  package func number(_ attribute: String) -> Double? { text(attribute).flatMap { IIODevice.number($0) } }

  /// The finite number that a text is, or begins with before white space; nil for anything else.
  static func number(_ text: some StringProtocol) -> Double? {
    let word = text.split(whereSeparator: \.isWhitespace).first
    return word.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// What is wrong with the offset and the scale of a channel, and what to do; nil where they can be used, or there are
  /// none.
  ///
  /// - Parameter names: what the attributes' names begin with behind `in_`: the channel's, and its kind's.
  package func flaw(of names: [String]) -> String? {
    for (what, isBad) in [("offset", { _ in false }), ("scale", { $0 == 0 })] as [(String, (Double) -> Bool)]
    {
      // The channel's own comes first, as it does where it is used.
      for attribute in names.map({ "in_\($0)_\(what)" }) {
        guard let text = text(attribute) else { continue }
        guard let number = IIODevice.number(text), !isBad(number) else {
          return
            "\(folder)/\(attribute) says \"\(text)\", which is no \(what), so that nobody knows what is measured: "
            + "its driver or its firmware is at fault; use another source"
        }
        break
      }
    }
    return nil
  }

  /// Sets an attribute; false where that is not allowed.
  @discardableResult
  package func set(_ attribute: String, _ value: String) -> Bool {
    let file = open("\(folder)/\(attribute)", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    let bytes = Array(value.utf8)
    return write(file, bytes, bytes.count) == bytes.count
  }
}
