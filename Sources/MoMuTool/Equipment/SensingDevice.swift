/// A device that may contain sensors: an input device, or a device of Industrial I/O.
protocol SensingDevice {
  /// The path of the device's file or folder.
  var path: String { get }
  /// The name that the device reports.
  var title: String { get }
  /// Whether another device has the same title, so that the title does not identify this device.
  var isAmbiguous: Bool { get set }
  /// The kinds of readings that MoMu can get from the device, by their names in options and in a rig's configuration.
  ///
  /// Examples are `accel` and `touch`.
  var uses: [String] { get }
  /// The names of the channels that `MoSensor` can read, such as `ABS_X` or `illuminance`.
  var channels: [String] { get }
  /// The device as a value of options such as `--accel`: `evdev:` or `iio:` with the title, such as `evdev:Joystick`.
  ///
  /// If the title does not identify the device, the path or number replaces the title.
  var name: String { get }
}

extension Array where Element: SensingDevice {
  /// Returns the same devices, but `isAmbiguous` is true for each device whose title another device of the array has,
  /// too.
  var toldApart: [Element] {
    map { device in
      var device = device
      device.isAmbiguous = filter { $0.title == device.title }.count > 1
      return device
    }
  }
}
