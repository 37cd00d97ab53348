import MoSensing

extension SystemReader {
  /// Reads the input devices from /sys/class/input, which every user may read.
  func inputs() -> [InputDevice] {
    numbered("event", in: "/sys/class/input").map(input).toldApart
  }

  private func input(_ event: String) -> InputDevice {
    func attribute(_ name: String) -> String? { word("/sys/class/input/\(event)/device/\(name)") }
    let path = "/dev/input/\(event)"
    let title = attribute("name") ?? ""
    let traits = EvdevTraits(
      path: path, title: title, properties: attribute("properties") ?? "0",
      axes: attribute("capabilities/abs") ?? "0",
      keys: attribute("capabilities/key") ?? "0", relative: attribute("capabilities/rel") ?? "0")
    let uses: [(String, Bool)] = [
      ("accel", traits.isAccelerometer), ("gyro", traits.isGyroscope),
      ("touch", traits.isTouchScreen || traits.isTouchPad || traits.isMouse), ("buttons", traits.hasKeys),
      ("sensor", traits.hasAxes),
    ]
    return InputDevice(
      path: path, title: title, uses: uses.filter(\.1).map(\.0), channels: traits.axisNames,
      rumbles: EvdevTraits.bit(Self.rumble, of: attribute("capabilities/ff") ?? "0"), rights: rights(path))
  }

  /// The number of the bit by which a device reports that it can vibrate: FF_RUMBLE of linux/input-event-codes.h.
  private static let rumble: Int32 = 0x50
}
