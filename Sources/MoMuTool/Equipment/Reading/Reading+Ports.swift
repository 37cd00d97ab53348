extension SystemReader {
  /// Reads the serial ports to which a board can be connected: the ports of USB devices, and a Raspberry Pi's own.
  func ports() -> [SerialPort] {
    numbered("ttyACM", "ttyUSB", "ttyAMA", in: "/dev").map { name in
      SerialPort(
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
