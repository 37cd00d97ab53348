import CEvdev

/// Gyroscopes in the kernel's input system: those of game controllers.
enum EvdevGyroscope {
  static let row: SensorRow<Rotation> = EvdevList.row(where: \.isGyroscope) { path, opening in
    let device = try EvdevDevice(path: path, for: opening)
    guard let (axes, scale) = layout(of: device) else {
      throw SensorError.wrongDevice(path: path, noun: opening.noun, advice: opening.advice())
    }
    let frame = EvdevFrame(title: device.title)
    return EvdevTriple(device, axes: axes, scale: scale, deliver: opening.deliver) {
      Rotation(time: $0, axes: frame.turned($1))
    }
  }

  /// Returns a device's axes and, for each axis, the speed in rad/s of a raw value of 1; nil if it is not a gyroscope.
  private static func layout(of device: EvdevDevice) -> (axes: [Int32], scale: SIMD3<Float>)? {
    let axes = [ABS_RX, ABS_RY, ABS_RZ]
    guard axes.allSatisfy({ device.has(EV_ABS, $0) }) else { return nil }
    let degree = Float.pi / 180
    if device.has(property: INPUT_PROP_ACCELEROMETER) {
      // For such a device the kernel defines the resolution as units per degree per second (linux/input.h).
      return (axes, SIMD3(axes.map { degree / Float(max(1, device.axis($0)?.resolution ?? 1)) }))
    }
    guard EvdevTraits.isMotionPlus(device.title) else { return nil }
    // hid-wiimote gives neither the property nor a resolution: yaw, roll, pitch, each 8192 · 9 / 440 counts per degree
    // per second.
    return (axes, SIMD3(repeating: degree * 440 / (8192 * 9)))
  }
}

extension EvdevTraits {
  /// Whether the device has axes of rotation, and a property or the device's name shows that it measures movement.
  package var isGyroscope: Bool {
    (has(property: INPUT_PROP_ACCELEROMETER) || EvdevTraits.isMotionPlus(title)) && has(axis: ABS_RX)
  }

  /// Returns whether `title` is the name that the driver hid-wiimote gives to the gyroscope of a Wii remote.
  ///
  /// The gyroscope may be built in or plugged in.
  static func isMotionPlus(_ title: String) -> Bool { title.hasSuffix(" Remote Motion Plus") }
}
