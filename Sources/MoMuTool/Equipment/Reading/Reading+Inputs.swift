import MoMoreSensors
import MoSensors

extension SystemReader {
  /// The input devices: /sys/class/input, which everybody may read.
  func inputs() -> [InputDevice] {
    let events = names("/sys/class/input").filter { $0.hasPrefix("event") }.sorted {
      ($0.count, $0) < ($1.count, $1)
    }
    let titles = events.map { word("/sys/class/input/\($0)/device/name") ?? "" }
    return zip(events, titles).map { event, title in
      var device = input(event, title)
      device.isAmbiguous = titles.filter { $0 == title }.count > 1
      return device
    }
  }

  private func input(_ event: String, _ title: String) -> InputDevice {
    func attribute(_ name: String) -> String { word("/sys/class/input/\(event)/device/\(name)") ?? "0" }
    let path = "/dev/input/\(event)"
    let traits = EvdevTraits(
      path: path, title: title, properties: attribute("properties"), axes: attribute("capabilities/abs"),
      keys: attribute("capabilities/key"), relative: attribute("capabilities/rel"))
    let uses: [(String, Bool)] = [
      ("accel", traits.isAccelerometer), ("gyro", traits.isGyroscope),
      ("touch", traits.isTouchScreen || traits.isTouchPad || traits.isMouse), ("buttons", traits.hasKeys),
      ("sensor", traits.hasAxes),
    ]
    return InputDevice(
      path: path, title: title, uses: uses.filter(\.1).map(\.0), channels: traits.axisNames,
      rumbles: EvdevTraits.bit(Self.rumble, of: attribute("capabilities/ff")), rights: rights(path))
  }

  /// FF_RUMBLE of linux/input-event-codes.h.
  private static let rumble: Int32 = 0x50
}
