import CEvdev
import MoCore
import MoRuntime

/// Accelerometers in the kernel's input system: those of tablets and of game controllers.
package enum EvdevAccelerometer {
  static var row: SensorRow<AccelReading> {
    EvdevList.row(where: \.isAccelerometer) { path, opening in
      try open(path: path, advice: opening.advice, deliver: opening.deliver)
    }
  }

  /// Opens an accelerometer.
  ///
  /// - Throws: `SensorError` if the device does not exist, may not be opened, or is not an accelerometer.
  package static func open(
    path: String, advice: () -> String = { SensorError.listing },
    deliver: @escaping @Sendable (AccelReading) -> Void
  ) throws(SensorError) -> EvdevTriple<AccelReading> {
    let device = try EvdevDevice(path: path, noun: "an accelerometer", advice: advice)
    guard let (axes, scale) = layout(of: device) else {
      throw .wrongDevice(path: device.path, noun: "an accelerometer", advice: advice())
    }
    let frame = EvdevFrame(title: device.title)
    return EvdevTriple(device, axes: axes, scale: scale, deliver: deliver) {
      AccelReading(time: $0, axes: frame.turned($1))
    }
  }

  /// Returns a device's axes and, for each axis, the acceleration in g of a raw value of 1; nil if the device is not an
  /// accelerometer.
  private static func layout(of device: EvdevDevice) -> ([Int32], SIMD3<Float>)? {
    let usual = [ABS_X, ABS_Y, ABS_Z]
    if device.has(property: INPUT_PROP_ACCELEROMETER), usual.allSatisfy({ device.has(EV_ABS, $0) }) {
      return (usual, 1 / SIMD3(unitsPerG(device, ABS_X), unitsPerG(device, ABS_Y), unitsPerG(device, ABS_Z)))
    }
    // The Wii remote's accelerometer has neither the property nor a resolution. It uses the axes of a rotation
    // (hid-wiimote), with 10 bits for about ±5 g.
    let turning = [ABS_RX, ABS_RY, ABS_RZ]
    if device.title.hasSuffix(" Remote Accelerometer"), turning.allSatisfy({ device.has(EV_ABS, $0) }) {
      return (turning, SIMD3(repeating: 1 / 100))
    }
    return nil
  }

  /// Returns the raw value that an axis reports for 1 g.
  ///
  /// This value is the resolution of the axis, which the kernel defines as units per g for accelerometers. If a driver
  /// gives no resolution, the value is half the axis's maximum, since such sensors are set to ±2 g.
  private static func unitsPerG(_ device: EvdevDevice, _ axis: Int32) -> Float {
    guard let info = device.axis(axis) else { return 1 }
    return info.resolution > 0 ? Float(info.resolution) : max(1, Float(info.maximum) / 2)
  }
}
