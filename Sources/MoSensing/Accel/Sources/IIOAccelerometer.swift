import MoCore

/// Accelerometers in Industrial I/O: those of laptops that fold, of the Pi's expansion boards.
enum IIOAccelerometer {
  static let row = IIOList.row(channel: "accel") {
    AccelReading(time: $0, axes: $1 / PhoneLayout.metresPerG)
  }
}
