import MoCore
import MoOSC

/// A reading of three numbers, one for each of the device's axes.
///
/// On tapes and in the network it is `,fff`: x y z.
///
/// - Thread: any; it is a plain value.
public protocol AxesReading: SensorReading {
  /// Along the device's x axis or about it; the unit is the sensor's.
  var x: Float { get set }
  /// For the y axis.
  var y: Float { get set }
  /// For the z axis.
  var z: Float { get set }

  /// A reading given by its values.
  init(time: HostTime, x: Float, y: Float, z: Float)
}

extension AxesReading {
  /// A reading given by a vector of its three values.
  package init(time: HostTime, axes: SIMD3<Float>) {
    self.init(time: time, x: axes.x, y: axes.y, z: axes.z)
  }

  /// The reading that `,fff` says; nil where a number is missing, too many, or not finite.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    guard let numbers = OSCArgument.finite(arguments, count: 3) else { return nil }
    self.init(time: time, x: numbers[0], y: numbers[1], z: numbers[2])
  }

  /// As `,fff`.
  public var arguments: [OSCArgument] { [.float(x), .float(y), .float(z)] }
}
