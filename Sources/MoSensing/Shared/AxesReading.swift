import MoCore
import MoOSC

/// A reading of three numbers, one for each of the device's axes.
///
/// On tapes and in the network, the reading is an OSC message with three floats (`,fff`): x y z.
///
/// - Thread: any; a plain value.
public protocol AxesReading: SensorReading {
  /// The value along or about the device's x axis, in the sensor's unit.
  var x: Float { get set }
  /// The value along or about the device's y axis, in the sensor's unit.
  var y: Float { get set }
  /// The value along or about the device's z axis, in the sensor's unit.
  var z: Float { get set }

  /// Creates a reading from its values.
  init(time: HostTime, x: Float, y: Float, z: Float)
}

extension AxesReading {
  /// Creates a reading from a vector of its three values.
  package init(time: HostTime, axes: SIMD3<Float>) {
    self.init(time: time, x: axes.x, y: axes.y, z: axes.z)
  }

  /// Creates the reading from arguments of types `,fff`; nil if they are not exactly three finite numbers.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    guard let numbers = OSCArgument.finite(arguments, count: 3) else { return nil }
    self.init(time: time, x: numbers[0], y: numbers[1], z: numbers[2])
  }

  /// The reading as OSC arguments of types `,fff`.
  public var arguments: [OSCArgument] { [.float(x), .float(y), .float(z)] }
}
