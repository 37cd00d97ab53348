import Glibc
import MoRuntime

/// The kernel's input devices that there are now.
package enum EvdevList {
  /// Where they are.
  package static let folder = "/dev/input"

  /// Those that suit, lowest number first, as options name them.
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

  /// The path of the device that a path or a device's own name means; numbers change, names stay.
  package static func path(of name: String) -> String {
    guard !name.contains("/") else { return name }
    for event in SystemFiles.names(in: folder) where event.hasPrefix("event") {
      if EvdevTraits(path: "\(folder)/\(event)").title == name { return "\(folder)/\(event)" }
    }
    return name
  }

  /// What sysfs says of the device that a path, a link to it, or a device's own name means.
  package static func traits(of name: String) -> EvdevTraits {
    EvdevTraits(path: WholeFile.linked(path(of: name)))
  }

  /// A table's row for input devices.
  ///
  /// - Parameters:
  ///   - suits: which devices are such sensors.
  ///   - open: opens the device at a path.
  package static func row<Reading: SensorReading>(
    where suits: @escaping @Sendable (EvdevTraits) -> Bool,
    open: @escaping @Sendable (String, SensorOpenContext<Reading>) throws -> any EventSource
  ) -> SensorRow<Reading> {
    SensorRow(
      "evdev", forms: ["evdev:PATH"], folder: folder, devices: { devices(where: suits) },
      open: { path, opening in
        guard let path, !path.isEmpty else { return nil }
        return OpenSource(try open(path, opening))
      })
  }
}
