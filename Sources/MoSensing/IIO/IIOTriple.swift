import Glibc
import MoCore
import MoRuntime

/// A vector with three axes in Industrial I/O, such as `accel`, with the conversion of its raw counts to a unit.
///
/// A value is (raw + offset) × scale, rotated into the device's axes by `IIOMount`.
package struct IIOTriple: Sendable {
  package let device: IIODevice
  /// The channel's kind: `accel` (m/s²), `anglvel` (rad/s), `magn` (gauss).
  package let channel: String
  private var offset = SIMD3<Double>.zero
  private var scale = SIMD3<Double>(repeating: 1)
  private let mount: IIOMount

  package static let axes = ["x", "y", "z"]

  /// Returns the kinds of vector that a device measures, such as `accel`.
  static func channels(of device: IIODevice) -> [String] {
    ["accel", "anglvel", "magn"].filter { device.has("in_\($0)_x_raw") }
  }

  /// Creates the vector `channel` of a device; returns nil if the device does not measure this vector.
  package init?(_ device: IIODevice, channel: String) {
    self.init(device, channel: channel, udev: IIOMount.udev)
  }

  /// - Parameter udev: the folder in which udev stores the properties of devices.
  init?(_ device: IIODevice, channel: String, udev: String) {
    guard IIOTriple.axes.allSatisfy({ device.has("in_\(channel)_\($0)_raw") }) else { return nil }
    self.device = device
    self.channel = channel
    mount = IIOMount(device, channel: channel, udev: udev)
    for (index, axis) in IIOTriple.axes.enumerated() {
      // An axis may have its own value; otherwise that of the kind applies to all.
      func number(_ name: String) -> Double? {
        device.number("in_\(channel)_\(axis)_\(name)") ?? device.number("in_\(channel)_\(name)")
      }
      offset[index] = number("offset") ?? 0
      scale[index] = number("scale") ?? 1
    }
  }

  /// The text about a fault in the driver's attributes of the vector, with advice; nil if the attributes have no fault.
  package var problem: String? {
    IIOTriple.axes.lazy.compactMap { device.problem(of: ["\(channel)_\($0)", channel]) }.first
  }

  /// The rate that the driver has set, in readings per second; nil if the driver does not report it.
  package var rate: Double? {
    device.number("in_\(channel)_sampling_frequency") ?? device.number("sampling_frequency")
  }

  /// Converts raw counts to a vector in the channel's unit, along the device's axes; nil if it is not finite.
  package func value(_ raw: SIMD3<Double>) -> SIMD3<Float>? {
    let value = (raw + offset) * scale
    var turned = SIMD3<Float>.zero
    for index in 0..<3 {
      turned[index] = Float((mount.rows[index] * value).sum())
      guard turned[index].isFinite else { return nil }
    }
    return turned
  }
}

/// The mounting of an Industrial I/O sensor in its device: the rotation from the sensor's axes to the device's axes.
///
/// The device's axes are x to the right, y to the top edge, z out of the screen. An accelerometer's axis that points up
/// measures +1 g, as in the kernel's mount matrices. The signs are opposite in two cases:
/// - accelerometers of a HID sensor hub follow Windows: (0, 0, −1) g lying flat, face up;
/// - the matrices that udev adds (`ACCEL_MOUNT_MATRIX`) are made for a desktop's screen rotation, which needs the signs
///   of Windows. Most of these matrices mirror the axes, which no real mounting does, and their row z is never checked.
///
/// So x and y of udev's matrix are used, and z is computed so that the matrix becomes a rotation.
///
/// - Source: the kernel's Documentation/devicetree/bindings/iio/mount-matrix.txt; systemd's 60-sensor.hwdb; H. de Goede,
///   G. Grignou and B. Nocera on linux-iio, June 2022 (*iio: hid-sensor-accel-3d: add mount matrix*); Chromium's
///   `sensor_data_linux.cc`, which changes all three signs on a desktop.
struct IIOMount: Sendable {
  /// The rows of the matrix.
  let rows: [SIMD3<Double>]

  /// The folder in which udev stores the properties of devices.
  static let udev = "/run/udev/data"

  private static let straight = [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]

  /// Creates the rotation for a kind of vector, such as `accel`.
  init(_ device: IIODevice, channel: String, udev: String = IIOMount.udev) {
    // Both names belong to hid-sensor-accel-3d.
    let isMirrored = channel == "accel" && ["accel_3d", "gravity"].contains(device.title)
    let known =
      device.text("in_\(channel)_mount_matrix") ?? device.text("in_mount_matrix")
      ?? device.text("mount_matrix")
    let kernels = known.flatMap { IIOMount.matrix($0) } ?? IIOMount.straight
    let desktops = device.udevProperty("ACCEL_MOUNT_MATRIX", in: udev).flatMap { IIOMount.matrix($0) }
    // A matrix in the kernel that mirrors the axes is also one for desktops.
    let turn =
      if let matrix = desktops ?? (IIOMount.mirrors(kernels) ? kernels : nil) {
        IIOMount.turn(matrix, sign: isMirrored ? 1 : -1)
      } else {
        kernels
      }
    rows = isMirrored ? turn.map { -$0 } : turn
  }

  /// Returns a rotation: rows x and y of a matrix made for a desktop, times `sign`, and their cross product as z.
  private static func turn(_ matrix: [SIMD3<Double>], sign: Double) -> [SIMD3<Double>] {
    let (x, y) = (sign * matrix[0], sign * matrix[1])
    return [x, y, cross(x, y)]
  }

  private static func mirrors(_ matrix: [SIMD3<Double>]) -> Bool {
    (cross(matrix[0], matrix[1]) * matrix[2]).sum() < 0
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  /// Parses a mount matrix in sysfs, `1, 0, 0; 0, 1, 0; 0, 0, 1`, into its rows; nil if it is not valid.
  static func matrix(_ text: String) -> [SIMD3<Double>]? {
    let rows = text.split(separator: ";")
    guard rows.count == 3 else { return nil }
    var matrix: [SIMD3<Double>] = []
    for row in rows {
      let cells = row.split(separator: ",")
      guard cells.count == 3 else { return nil }
      var values = SIMD3<Double>.zero
      for (index, cell) in cells.enumerated() {
        guard let number = IIODevice.number(cell) else { return nil }
        values[index] = number
      }
      matrix.append(values)
    }
    // All zeros come from a device tree without the information.
    return matrix.allSatisfy { $0 == .zero } ? nil : matrix
  }
}

extension IIODevice {
  /// Returns a property of the device in udev's hardware database; nil if it is not set.
  func udevProperty(_ name: String, in root: String) -> String? {
    let node = folder.split(separator: "/").last.map(String.init) ?? ""
    // As libudev finds it: by the device's number, or by its name if it has no number.
    let file = text("dev").map { "c\($0)" } ?? "+iio:\(node)"
    let prefix = "E:\(name)="
    let lines = WholeFile.text(of: "\(root)/\(file)")?.split(whereSeparator: \.isNewline) ?? []
    return lines.last { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }
}

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
  ///   - channel: the channel's kind, such as `accel`.
  ///   - make: creates a reading from a time and a value in the channel's unit.
  package static func row<Reading: SensorReading>(
    channel: String, make: @escaping @Sendable (HostTime, SIMD3<Float>) -> Reading
  ) -> SensorRow<Reading> {
    // The folder of the buffers is watched, since sysfs itself reports no changes.
    SensorRow(
      "iio", forms: ["iio:N"], folder: "/dev",
      readsChip: { names in IIOTriple.axes.allSatisfy { names.contains("in_\(channel)_\($0)_raw") } },
      devices: { devices(channel: channel) },
      open: { detail, opening in
        guard let detail, !detail.isEmpty else { return nil }
        let device = IIODevice(detail)
        guard !device.title.isEmpty else {
          throw SensorError.noDevice(path: device.folder, advice: opening.advice())
        }
        guard let triple = IIOTriple(device, channel: channel) else {
          throw SensorError.wrongDevice(path: device.folder, noun: opening.noun, advice: opening.advice())
        }
        if let problem = triple.problem { throw SensorError.other(problem) }
        let attribute = "in_\(channel)_x_raw"
        let file = "\(device.folder)/\(attribute)"
        guard access(file, R_OK) == 0 else { throw SensorError.noPermission(path: file) }
        if device.readError(of: attribute) != nil { IIOBuffer.clear(device) }
        if let buffered = IIOBufferedSource(triple, deliver: opening.deliver, make: make) {
          return OpenSource(buffered)
        }
        if let error = device.readError(of: attribute) { throw SensorError.other(device.silence(error)) }
        let clock = opening.run.clock
        let polled = IIOPolledSource(triple, clock: clock, deliver: opening.deliver, make: make)
        guard IIOBuffer.lacksOnlyRight(triple) else { return OpenSource(polled) }
        return OpenSource(
          IIOUpgradableSource(polled, now: clock.now, mayUpgrade: { IIOBuffer.mayEnable(device) }) {
            IIOBufferedSource(triple, deliver: opening.deliver, make: make)
          })
      })
  }
}
