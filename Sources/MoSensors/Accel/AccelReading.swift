import MoTime

/// What a source of acceleration delivers: one bare reading.
struct AccelReading: Equatable, Sendable {
  /// When the sensor measured it.
  var time: HostTime
  /// Acceleration along the device's axes in g, gravity included.
  var x: Float
  var y: Float
  var z: Float
}

/// Where a source leaves its readings.
typealias AccelDelivery = @Sendable (AccelReading) -> Void
