import MoSensing

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
    let vectors = [("accel", "accel"), ("gyro", "anglvel"), ("magnet", "magn")].filter { _, channel in
      ["x", "y", "z"].allSatisfy { attributes.contains("in_\(channel)_\($0)_raw") }
    }
    let channels = attributes.compactMap { name -> String? in
      guard name.hasPrefix("in_"), let end = ["_input", "_raw"].first(where: { name.hasSuffix($0) }) else {
        return nil
      }
      return String(name.dropFirst(3).dropLast(end.count))
    }
    return SensorChip(
      path: folder, number: String(device.dropFirst(10)), title: word("\(folder)/name") ?? "",
      uses: vectors.map(\.0) + (channels.isEmpty ? [] : ["sensor"]), channels: channels,
      rights: rights("/dev/\(device)"), mayBuffer: rights("\(folder)/buffer/enable").map(\.mayWrite))
  }
}
