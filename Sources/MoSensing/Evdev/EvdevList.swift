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
  /// is returned unchanged.
  package static func path(of name: String) -> String {
    guard !name.contains("/") else { return name }
    for event in SystemFiles.names(in: folder) where event.hasPrefix("event") {
      if EvdevTraits(path: "\(folder)/\(event)").title == name { return "\(folder)/\(event)" }
    }
    return name
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
      "evdev", forms: ["evdev:PATH"], folder: folder, devices: { devices(where: suits) },
      open: { path, opening in
        guard let path, !path.isEmpty else { return nil }
        return OpenSource(try open(path, opening))
      })
  }
}
