import Glibc
import MoCore
import MoRuntime

/// The sensors with three axes that Industrial I/O has now.
package enum IIOList {
  /// Returns the devices that measure the vector `channel`, such as `accel`, as options name them: `iio:0`.
  package static func devices(channel: String, in root: String = IIODevice.devices) -> [NamedDevice] {
    IIODevice.all(in: root).compactMap { device in
      guard device.has("in_\(channel)_x_raw") else { return nil }
      return NamedDevice(name: "iio:\(device.detail)", about: device.title, isReal: true)
    }
  }

  /// Returns the row for Industrial I/O vectors in a sensor's table of sources.
  ///
  /// - Parameters:
  ///   - channel: `accel`, `anglvel` or `magn`.
  ///   - make: creates a reading from a time and a value in the channel's unit.
  package static func row<Reading: SensorReading>(
    channel: String, make: @escaping @Sendable (HostTime, SIMD3<Float>) -> Reading
  ) -> SensorRow<Reading> {
    // The folder of the buffers is watched, since sysfs itself reports no changes.
    SensorRow(
      "iio", forms: ["iio:N"], folder: "/dev", devices: { devices(channel: channel) },
      open: { detail, opening in
        guard let detail, !detail.isEmpty else { return nil }
        let device = IIODevice(detail)
        guard !device.title.isEmpty else {
          throw SensorError.noDevice(path: device.folder, advice: opening.advice())
        }
        guard let triple = IIOTriple(device, channel: channel) else {
          throw SensorError.wrongDevice(path: device.folder, noun: opening.noun, advice: opening.advice())
        }
        if let flaw = triple.flaw { throw SensorError.other(flaw) }
        let attribute = "in_\(channel)_x_raw"
        let file = "\(device.folder)/\(attribute)"
        guard access(file, R_OK) == 0 else { throw SensorError.noPermission(path: file) }
        if device.text(attribute) == nil { IIOBuffer.clear(device) }
        if let buffered = IIOBufferedSource(triple, deliver: opening.deliver, make: make) {
          return OpenSource(buffered)
        }
        guard device.text(attribute) != nil else {
          throw SensorError.other(
            "\(device.folder) is read by another program: end that one, or use another source")
        }
        return OpenSource(
          IIOPolledSource(triple, clock: opening.run.clock, deliver: opening.deliver, make: make))
      })
  }
}
