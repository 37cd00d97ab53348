/// A device that sensors can read.
protocol SensingDevice {
  /// Where the kernel has it.
  var path: String { get }
  /// What it calls itself.
  var title: String { get }
  /// Whether another is called the same, so that only its place tells them apart.
  var isAmbiguous: Bool { get set }
  /// The sensors that can read it, as options and a rig's configuration call them: `accel`, `touch`.
  var uses: [String] { get }
  /// What `MoSensor` can read of it.
  var channels: [String] { get }
  /// What options take.
  var name: String { get }
}

extension Array where Element: SensingDevice {
  /// The same, and of each whether another is called like it.
  var toldApart: [Element] {
    map { device in
      var device = device
      device.isAmbiguous = filter { $0.title == device.title }.count > 1
      return device
    }
  }
}
