/// A vector with three axes in Industrial I/O, such as `accel`, with the conversion of its raw counts to a unit.
///
/// A value is (raw + offset) × scale, rotated into the device's axes by `IIOMount`.
package struct IIOTriple: Sendable {
  package let device: IIODevice
  /// The channel's kind: `accel` (m/s²), `anglvel` (rad/s), `magn` (gauss).
  package let channel: String
  private var offset = SIMD3<Double>.zero
  private var scale = SIMD3<Double>(repeating: 1)
  private let mount: IIOMount

  package static let axes = ["x", "y", "z"]

  /// Returns the kinds of vector that a device measures, such as `accel`.
  static func channels(of device: IIODevice) -> [String] {
    ["accel", "anglvel", "magn"].filter { device.has("in_\($0)_x_raw") }
  }

  /// Creates the vector `channel` of a device; returns nil if the device does not measure this vector.
  package init?(_ device: IIODevice, channel: String) {
    self.init(device, channel: channel, udev: IIOMount.udev)
  }

  /// - Parameter udev: the folder in which udev stores the properties of devices.
  init?(_ device: IIODevice, channel: String, udev: String) {
    guard IIOTriple.axes.allSatisfy({ device.has("in_\(channel)_\($0)_raw") }) else { return nil }
    self.device = device
    self.channel = channel
    mount = IIOMount(device, channel: channel, udev: udev)
    for (index, axis) in IIOTriple.axes.enumerated() {
      // An axis may have its own value; otherwise that of the kind applies to all.
      func number(_ name: String) -> Double? {
        device.number("in_\(channel)_\(axis)_\(name)") ?? device.number("in_\(channel)_\(name)")
      }
      offset[index] = number("offset") ?? 0
      scale[index] = number("scale") ?? 1
    }
  }

  /// The text about a fault in the driver's attributes of the vector, with advice; nil if the attributes have no fault.
  package var flaw: String? {
    IIOTriple.axes.lazy.compactMap { device.flaw(of: ["\(channel)_\($0)", channel]) }.first
  }

  /// The rate that the driver has set, in readings per second; nil if the driver does not report it.
  package var rate: Double? {
    device.number("in_\(channel)_sampling_frequency") ?? device.number("sampling_frequency")
  }

  /// Converts raw counts to a vector in the channel's unit, along the device's axes; nil if it is not finite.
  package func value(_ raw: SIMD3<Double>) -> SIMD3<Float>? {
    let value = (raw + offset) * scale
    var turned = SIMD3<Float>.zero
    for index in 0..<3 {
      turned[index] = Float((mount.rows[index] * value).sum())
      guard turned[index].isFinite else { return nil }
    }
    return turned
  }
}
