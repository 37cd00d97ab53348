import CEvdev
import Glibc
import MoRuntime

/// The input devices of the kernel that are present now.
package enum EvdevList {
  /// The folder of the devices.
  package static let folder = "/dev/input"

  /// Returns the devices for which `suits` is true, lowest number first, as options name them:
  /// `evdev:/dev/input/event5`.
  package static func devices(where suits: (EvdevTraits) -> Bool) -> [NamedDevice] {
    var devices: [NamedDevice] = []
    for name in SystemFiles.names(in: folder) where name.hasPrefix("event") {
      let traits = EvdevTraits(path: "\(folder)/\(name)")
      guard suits(traits) else { continue }
      let isOpen = access(traits.path, R_OK) == 0
      devices.append(
        NamedDevice(
          name: "evdev:\(traits.path)",
          about: isOpen ? traits.title : "may not be read: sudo usermod -aG input $USER, then log in again",
          isReal: true, isOpen: isOpen))
    }
    return devices
  }

  /// Returns the path of a device with a given name; a path is returned unchanged.
  ///
  /// The number in a path such as `/dev/input/event5` may change, but the name stays the same. A name without a device
  /// is returned unchanged. White space at the ends of the name has no effect.
  package static func path(of name: String) -> String {
    guard !name.contains("/") else { return name }
    let events = SystemFiles.names(in: folder).filter { $0.hasPrefix("event") }
    return path(of: name, among: events.lazy.map { EvdevTraits(path: "\(folder)/\($0)") })
  }

  static func path(of name: String, among devices: some Sequence<EvdevTraits>) -> String {
    let title = name.trimmed
    return devices.first { $0.title == title }?.path ?? name
  }

  /// Returns a device's properties in sysfs; `name` is the device's path, a symbolic link to the path, or the device's
  /// name.
  package static func traits(of name: String) -> EvdevTraits {
    EvdevTraits(path: WholeFile.linked(path(of: name)))
  }

  /// Returns the row for input devices in a sensor's table of sources.
  ///
  /// - Parameters:
  ///   - suits: returns whether a device is a sensor of this kind.
  ///   - open: opens the device at a path.
  package static func row<Reading: SensorReading>(
    where suits: @escaping @Sendable (EvdevTraits) -> Bool,
    open: @escaping @Sendable (String, SensorOpenContext<Reading>) throws -> any EventSource
  ) -> SensorRow<Reading> {
    SensorRow(
      "evdev", forms: ["evdev:PATH"], folder: folder, readsInput: suits, devices: { devices(where: suits) },
      open: { path, opening in
        guard let path, !path.isEmpty else { return nil }
        return OpenSource(try open(path, opening))
      })
  }
}

/// The properties of an input device in sysfs, which every user may read.
///
/// They show the kind of a device without opening it. So a keyboard is not opened in the search for a sensor, and a
/// device that the user may not open is still recognised.
package struct EvdevTraits: Sendable {
  package let path: String
  /// The name that the device reports, without white space at its ends.
  package let title: String
  private let properties: String
  private let axes: String
  private let keys: String
  private let relative: String

  /// - Parameter path: the device's path, such as `/dev/input/event5`.
  init(path: String) {
    self.path = path
    let event = path.split(separator: "/").last ?? ""
    func attribute(_ name: String) -> String {
      SystemFiles.line(of: "/sys/class/input/\(event)/device/\(name)") ?? ""
    }
    title = attribute("name")
    properties = attribute("properties")
    axes = attribute("capabilities/abs")
    keys = attribute("capabilities/key")
    relative = attribute("capabilities/rel")
  }

  /// Creates the properties from texts in the form that sysfs has; for tests.
  package init(
    path: String = "", title: String = "", properties: String = "0", axes: String = "0", keys: String = "0",
    relative: String = "0"
  ) {
    (self.path, self.title, self.properties) = (path, title, properties)
    (self.axes, self.keys, self.relative) = (axes, keys, relative)
  }

  package func has(property: Int32) -> Bool { EvdevTraits.bit(property, of: properties) }
  package func has(axis: Int32) -> Bool { EvdevTraits.bit(axis, of: axes) }
  package func has(key: Int32) -> Bool { EvdevTraits.bit(key, of: keys) }
  package func has(relative code: Int32) -> Bool { EvdevTraits.bit(code, of: relative) }
  /// Whether the device has keys or buttons at all.
  package var hasKeys: Bool { keys.contains { $0 != "0" && $0 != " " } }

  /// Whether a property of the device or, with an older driver, the device's name shows that it measures acceleration.
  package var isAccelerometer: Bool {
    has(property: INPUT_PROP_ACCELEROMETER) && has(axis: ABS_X) || title.hasSuffix(" Remote Accelerometer")
  }

  /// Returns whether bit `number` is set in a bitmap of hexadecimal 64-bit words, the lowest bits in the last word.
  package static func bit(_ number: Int32, of bitmap: String) -> Bool {
    let words = bitmap.split(whereSeparator: \.isWhitespace)
    let index = words.count - 1 - Int(number) / 64
    guard index >= 0, let word = UInt64(words[index], radix: 16) else { return false }
    return word & 1 << UInt64(number % 64) != 0
  }
}
