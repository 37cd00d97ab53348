import MoTime

/// Accelerometers in Industrial I/O: those of laptops that fold, of the Pi's expansion boards.
enum IIOAccelerometer {
  static let row = IIOList.row(channel: "accel") { time, value in
    let g = value / PhoneLayout.metresPerG
    return AccelReading(time: time, x: g.x, y: g.y, z: g.z)
  }
}
