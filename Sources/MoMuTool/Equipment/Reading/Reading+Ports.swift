extension SystemReader {
  /// Reads the serial ports of boards: those of USB, and a Pi's own.
  func ports() -> [SerialPort] {
    numbered("ttyACM", "ttyUSB", "ttyAMA", in: "/dev").map { name in
      SerialPort(
        path: "/dev/\(name)", link: stableLink(to: name), title: product(name), rights: rights("/dev/\(name)")
      )
    }
  }

  /// Returns udev's link to a port; it points to a path such as "../../ttyACM0".
  private func stableLink(to name: String) -> String? {
    let folder = "/dev/serial/by-id"
    return names(folder).first { link("\(folder)/\($0)")?.hasSuffix("/\(name)") == true }.map {
      "\(folder)/\($0)"
    }
  }

  /// Returns the name that a USB device reports; a converter's port is one folder deeper than a modem's.
  private func product(_ name: String) -> String? {
    let device = "/sys/class/tty/\(name)/device"
    guard let above = ["\(device)/..", "\(device)/../.."].first(where: { exists("\($0)/product") }) else {
      return nil
    }
    let words = [word("\(above)/manufacturer"), word("\(above)/product")].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}
