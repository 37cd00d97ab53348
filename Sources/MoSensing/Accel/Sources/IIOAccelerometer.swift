import MoCore

/// Accelerometers in Industrial I/O: those of convertible laptops and of expansion boards for the Pi.
enum IIOAccelerometer {
  static let row = IIOList.row(channel: "accel") {
    AccelReading(time: $0, axes: $1 / PhoneLayout.metresPerG)
  }
}
