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
    return InputDevice(
      path: path, title: title, uses: AnySensorKind.all.filter { $0.readsInput(traits) }.map(\.name),
      channels: traits.axisNames,
      rumbles: EvdevTraits.bit(Self.rumble, of: attribute("capabilities/ff") ?? "0"), rights: rights(path))
  }

  /// The number of the bit by which a device reports that it can vibrate: FF_RUMBLE of linux/input-event-codes.h.
  private static let rumble: Int32 = 0x50
}

extension SystemReader {
  /// Reads the devices of Industrial I/O from /sys.
  ///
  /// The kernel's Documentation/ABI/testing/sysfs-bus-iio describes the files.
  func chips() -> [SensorChip] {
    numbered("iio:device", in: IIODevice.devices).map(chip).toldApart
  }

  private func chip(_ device: String) -> SensorChip {
    let folder = "\(IIODevice.devices)/\(device)"
    let attributes = names(folder)
    return SensorChip(
      path: folder, number: String(device.dropFirst(10)), title: word("\(folder)/name") ?? "",
      uses: AnySensorKind.all.filter { $0.readsChip(attributes) }.map(\.name),
      channels: IIODevice.channels(among: attributes).map(\.name),
      rights: rights("/dev/\(device)"), mayBuffer: rights("\(folder)/buffer/enable").map(\.mayWrite))
  }
}

extension SystemReader {
  /// Reads the serial ports to which a board can be connected: the ports of USB devices, and a Raspberry Pi's own.
  func ports() -> [SerialDevice] {
    numbered("ttyACM", "ttyUSB", "ttyAMA", in: "/dev").map { name in
      SerialDevice(
        path: "/dev/\(name)", link: stableLink(to: name), title: product(name), rights: rights("/dev/\(name)")
      )
    }
  }

  /// Returns the path of udev's link to a port such as `ttyACM0`; nil if there is no link.
  ///
  /// The target of the link is a relative path such as "../../ttyACM0".
  private func stableLink(to name: String) -> String? {
    let folder = "/dev/serial/by-id"
    return names(folder).first { link("\(folder)/\($0)")?.hasSuffix("/\(name)") == true }.map {
      "\(folder)/\($0)"
    }
  }

  /// Returns the manufacturer and product that the USB device of a port reports; nil if it reports neither.
  ///
  /// In /sys, the port of a serial converter (`ttyUSB0`) is one folder deeper below its USB device than the port of a
  /// modem (`ttyACM0`).
  private func product(_ name: String) -> String? {
    let device = "/sys/class/tty/\(name)/device"
    guard let above = ["\(device)/..", "\(device)/../.."].first(where: { exists("\($0)/product") }) else {
      return nil
    }
    let words = [word("\(above)/manufacturer"), word("\(above)/product")].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
