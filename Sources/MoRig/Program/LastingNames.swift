import MoRuntime
import MoSensing

/// The names of devices that stay the same when the kernel numbers the devices anew, as after a restart of the machine.
///
/// A board has a link under `/dev/serial/by-id`; the names of an input device and of an Industrial I/O chip are those
/// that their drivers report.
struct LastingNames: Sendable {
  /// The link to each serial port, by the port's path.
  private let links: [String: String]
  /// The name of each input device, by the device's path, and of each chip, by the chip's number.
  private let titles: [String: String]

  /// Reads the names of this machine's devices.
  init() {
    let inputs = EvdevList.devices { _ in true }.map { device in
      let path = String(device.name.dropFirst("evdev:".count))
      return (path, EvdevList.traits(of: path).title)
    }
    self.init(
      byID: "/dev/serial/by-id", inputs: inputs, chips: IIODevice.all().map { ($0.detail, $0.title) })
  }

  /// - Parameters:
  ///   - byID: the folder with udev's links to serial ports.
  ///   - inputs: the path and the name of each input device.
  ///   - chips: the number and the name of each Industrial I/O chip.
  init(byID: String, inputs: [(String, String)], chips: [(String, String)]) {
    let ports = SystemFiles.names(in: byID).compactMap { name in
      SystemFiles.real("\(byID)/\(name)").map { ($0, "\(byID)/\(name)") }
    }
    links = Dictionary(ports, uniquingKeysWith: { first, _ in first })
    titles = Dictionary(
      Self.unambiguous(inputs) + Self.unambiguous(chips), uniquingKeysWith: { first, _ in first })
  }

  /// Returns a device with a name that stays the same, and with its present name in its description; a device without
  /// such a name is returned unchanged.
  func name(_ device: NamedDevice) -> NamedDevice {
    let parts = device.name.split(separator: ":", maxSplits: 1).map { String($0) }
    guard parts.count == 2 else { return device }
    let (scheme, detail) = (parts[0], parts[1])
    let known: String? =
      switch scheme {
      case "serial": links[SystemFiles.real(detail) ?? detail]
      case "evdev", "iio": titles[detail]
      default: nil
      }
    guard let lasting = known else { return device }
    var named = device
    named.name = "\(scheme):\(lasting)"
    named.about = device.about == lasting ? "now \(device.name)" : "\(device.about), now \(device.name)"
    return named
  }

  /// Returns the devices whose name is unique, and can be written as a source in a configuration.
  private static func unambiguous(_ devices: [(String, String)]) -> [(String, String)] {
    devices.filter { _, title in
      devices.filter { $0.1 == title }.count == 1 && isSource(title)
    }
  }

  /// Returns whether a configuration can name a device in this way.
  ///
  /// A number and a path have other meanings. `?` begins the settings of a source; ` #` and ` ;` begin a comment.
  private static func isSource(_ title: String) -> Bool {
    guard let first = title.first else { return false }
    let isPlain = !title.contains { "/?".contains($0) || $0.isNewline }
    let hasComment = "#;".contains(first) || title.contains(" #") || title.contains(" ;")
    return isPlain && !hasComment && !title.allSatisfy(\.isNumber)
  }
}
