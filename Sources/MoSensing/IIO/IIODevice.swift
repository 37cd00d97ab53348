import Glibc
import MoRuntime

/// A device of the kernel's Industrial I/O, as sysfs shows it: a folder of attributes, one small file each.
///
/// - Source: the kernel's Documentation/ABI/testing/sysfs-bus-iio.
package struct IIODevice: Sendable {
  /// The device's folder, such as `/sys/bus/iio/devices/iio:device0`.
  package let folder: String

  /// The folder in which the kernel shows its devices.
  package static let devices = "/sys/bus/iio/devices"

  /// Creates a device from its number, such as `0`, its driver's name, such as `accel_3d`, or its folder.
  package init(_ detail: String) {
    let isNumber = detail.allSatisfy(\.isNumber)
    let named = isNumber || detail.contains("/") ? nil : IIODevice.all().first { $0.title == detail }
    folder = named?.folder ?? (detail.contains("/") ? detail : "\(IIODevice.devices)/iio:device\(detail)")
  }

  /// Returns all devices, lowest number first.
  package static func all(in root: String = devices) -> [IIODevice] {
    SystemFiles.names(in: root).filter { $0.hasPrefix("iio:device") }.map { IIODevice("\(root)/\($0)") }
  }

  /// The device's name in options: its number, such as `0`, or its folder if that is not in `/sys/bus/iio/devices`.
  package var detail: String {
    let prefix = "\(IIODevice.devices)/iio:device"
    return folder.hasPrefix(prefix) ? String(folder.dropFirst(prefix.count)) : folder
  }

  /// The driver's name for the device, without white space at its ends.
  package var title: String { SystemFiles.line(of: "\(folder)/name") ?? "" }

  /// The names of the single values that the device measures, each with the attribute from which the value is read.
  ///
  /// An example is the name `illuminance` with the attribute `in_illuminance_raw`. The name is the kernel's name of the
  /// channel, without `in_`.
  ///
  /// A driver provides the value in the channel's unit (`_input`), the raw value (`_raw`), or both, as newer drivers of
  /// the BMP280 do. If it provides both, the attribute is `_input`.
  package var channels: [(name: String, attribute: String)] {
    IIODevice.channels(among: SystemFiles.names(in: folder))
  }

  /// Returns the `channels` of a device with these attributes.
  package static func channels(among attributes: [String]) -> [(name: String, attribute: String)] {
    let known = Set(attributes)
    return attributes.compactMap { file in
      guard file.hasPrefix("in_"), let end = ["_input", "_raw"].first(where: { file.hasSuffix($0) }) else {
        return nil
      }
      let channel = String(file.dropFirst(3).dropLast(end.count))
      return end == "_raw" && known.contains("in_\(channel)_input") ? nil : (channel, file)
    }
  }

  /// Returns whether an attribute exists; it may exist and be unreadable while the device's buffer is on.
  package func has(_ attribute: String) -> Bool { access("\(folder)/\(attribute)", F_OK) == 0 }

  /// Returns an attribute's text; nil if it does not exist.
  package func text(_ attribute: String) -> String? { SystemFiles.line(of: "\(folder)/\(attribute)") }

  /// Returns an attribute's number; nil if it does not exist or is not a number.
  package func number(_ attribute: String) -> Double? { text(attribute).flatMap { IIODevice.number($0) } }

  /// Returns the value of `errno` after an attempt to read an attribute's text; nil if the attribute has a text.
  func readError(of attribute: String) -> Int32? {
    let file = open("\(folder)/\(attribute)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return errno }
    defer { close(file) }
    var byte: UInt8 = 0
    let count = read(file, &byte, 1)
    return count > 0 ? nil : count == 0 ? ENODATA : errno
  }

  /// Returns the text about a device whose values cannot be read, with advice.
  ///
  /// - Parameter error: the value of `errno` after the attempt to read.
  package func silence(_ error: Int32) -> String {
    // The kernel refuses with EBUSY while a buffer of the device is on; a chip that does not answer has other errors.
    error == EBUSY
      ? "\(folder) is read by another program: end that program, or use another source"
      : "\(folder) does not answer (\(String(cString: strerror(error)))): check its wires, or use another source"
  }

  /// Returns the finite number at the start of a text, up to white space; nil for any other text.
  static func number(_ text: some StringProtocol) -> Double? {
    let word = text.split(whereSeparator: \.isWhitespace).first
    return word.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }

  /// Returns the fault in the offset or scale of a channel, with advice; nil if they are valid or do not exist.
  ///
  /// - Parameter names: the beginnings of the attributes' names after `in_`: the channel, then all channels of its kind,
  ///   such as `accel_x` and `accel`.
  package func problem(of names: [String]) -> String? {
    for (what, isBad) in [("offset", { _ in false }), ("scale", { $0 == 0 })] as [(String, (Double) -> Bool)]
    {
      // The channel's own attribute comes first, as in the conversion.
      for attribute in names.map({ "in_\($0)_\(what)" }) {
        guard let text = text(attribute) else { continue }
        guard let number = IIODevice.number(text), !isBad(number) else {
          return
            "\(folder)/\(attribute) contains \"\(text)\", which is not a valid \(what): "
            + "its driver or its firmware is at fault; use another source"
        }
        break
      }
    }
    return nil
  }

  /// Sets an attribute; returns false if that is not allowed.
  @discardableResult
  package func set(_ attribute: String, _ value: String) -> Bool {
    let file = open("\(folder)/\(attribute)", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    let bytes = Array(value.utf8)
    return write(file, bytes, bytes.count) == bytes.count
  }
}
