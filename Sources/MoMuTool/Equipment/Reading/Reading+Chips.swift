extension SystemReader {
  /// The devices of Industrial I/O: Documentation/ABI/testing/sysfs-bus-iio.
  func chips() -> [SensorChip] {
    let devices = names("/sys/bus/iio/devices").filter { $0.hasPrefix("iio:device") }.sorted {
      ($0.count, $0) < ($1.count, $1)
    }
    let titles = devices.map { word("/sys/bus/iio/devices/\($0)/name") ?? "" }
    return zip(devices, titles).map { device, title in
      var chip = chip(device, title)
      chip.isAmbiguous = titles.filter { $0 == title }.count > 1
      return chip
    }
  }

  private func chip(_ device: String, _ title: String) -> SensorChip {
    let folder = "/sys/bus/iio/devices/\(device)"
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
      folder: folder, number: String(device.dropFirst(10)), title: title,
      uses: vectors.map(\.0) + (channels.isEmpty ? [] : ["sensor"]), channels: channels,
      rights: rights("/dev/\(device)"), mayBuffer: rights("\(folder)/buffer/enable").map(\.mayWrite))
  }
}
