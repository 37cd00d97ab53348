/// A device that sensors can read.
protocol SensingDevice {
  /// The path of the device's file or folder.
  var path: String { get }
  /// The name that the device reports.
  var title: String { get }
  /// Whether another device has the same name, so that only the path identifies it.
  var isAmbiguous: Bool { get set }
  /// The sensors that can read the device, by their names in options and in a rig's configuration: `accel`, `touch`.
  var uses: [String] { get }
  /// The channels that `MoSensor` can read.
  var channels: [String] { get }
  /// The name for options.
  var name: String { get }
}

extension Array where Element: SensingDevice {
  /// The devices, with `isAmbiguous` set to whether another device has the same title.
  var toldApart: [Element] {
    map { device in
      var device = device
      device.isAmbiguous = filter { $0.title == device.title }.count > 1
      return device
    }
  }
}
