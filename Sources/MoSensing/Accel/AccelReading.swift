import MoCore

/// A reading of an accelerometer.
package struct AccelReading: AxesReading {
  package static let address = "/momu/accel"

  /// The value before the first measurement: the acceleration of a device that lies flat and still.
  package static var initial: Self { Self(time: .zero, x: 0, y: 0, z: 1) }

  /// The time of the measurement.
  package var time: HostTime
  /// The acceleration along the device's x axis in g, gravity included; `y` and `z` are the same for the other axes.
  package var x: Float
  package var y: Float
  package var z: Float

  package init(time: HostTime, x: Float, y: Float, z: Float) {
    self.time = time
    self.x = x
    self.y = y
    self.z = z
  }

  /// The reading that is valid when the sensor sends nothing more: this reading itself.
  ///
  /// A silent device is still held in the same position, and gravity still acts on it.
  package var atRest: AccelReading? { self }
}

/// A function that receives the readings of a source.
typealias AccelDelivery = @Sendable (AccelReading) -> Void

/// An error of an accelerometer that cannot be read.
public typealias AccelError = SensorError

/// An event of the accelerometer's source: for example, the source is lost, or found again.
public typealias AccelEvent = SensorEvent
