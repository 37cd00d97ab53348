import MoCore

/// What a source of acceleration delivers: one bare reading.
package struct AccelReading: AxesReading {
  package static let address = "/momu/accel"

  /// When the sensor measured it.
  package var time: HostTime
  /// Acceleration along the device's axes in g, gravity included.
  package var x: Float
  package var y: Float
  package var z: Float

  package init(time: HostTime, x: Float, y: Float, z: Float) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
  }

  /// Held as it was, and gravity with it.
  package var atRest: AccelReading? { self }
}

/// Where a source leaves its readings.
typealias AccelDelivery = @Sendable (AccelReading) -> Void

/// Why an accelerometer cannot be read.
public typealias AccelError = SensorError

/// Something that happened to the source of motion.
public typealias AccelEvent = SensorEvent
