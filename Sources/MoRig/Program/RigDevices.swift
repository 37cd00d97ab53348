import MoRuntime

/// The devices of this machine that a configuration can name.
enum RigDevices {
  /// Returns a heading for each kind of sensor that has a device here, with a line for each device.
  static func text() -> String {
    text(RigKind.allCases.map { ($0, $0.devices.filter(\.isReal)) })
  }

  static func text(_ kinds: [(kind: RigKind, devices: [NamedDevice])]) -> String {
    let found = kinds.filter { !$0.devices.isEmpty }
    guard !found.isEmpty else {
      return "no device that a rig can read is here: plug one in, and type \(ToolName.devices) again\n"
    }
    let width = found.flatMap(\.devices).map(\.name.count).max() ?? 0
    return found.map { kind, devices in
      "[\(kind.rawValue)]\n"
        + devices.map { "  source = \($0.name.padded(to: width))  # \($0.about)\n" }.joined()
    }.joined()
  }
}
