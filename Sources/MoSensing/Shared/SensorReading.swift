import MoCore
import MoOSC

/// A reading of a sensor at a moment, which OSC messages carry on tapes and in the network.
///
/// - Thread: any; a plain value.
public protocol SensorReading: BitwiseCopyable, Equatable, Sendable {
  /// The OSC address of readings of this type, such as `/momu/gyro`.
  static var address: String { get }

  /// The reading before the first measurement, such as the reading of a device that lies flat and still.
  static var initial: Self { get }

  /// The time of the measurement.
  var time: HostTime { get set }

  /// The reading's values as OSC arguments, without the time, which is the bundle's time tag.
  var arguments: [OSCArgument] { get }

  /// Creates the reading from a message's arguments; nil if the arguments are not a reading of this type.
  init?(time: HostTime, arguments: [OSCArgument])

  /// Whether readings may be skipped if a program wants fewer readings; false if each reading is a separate event.
  static var canBeThinned: Bool { get }

  /// The reading that replaces this reading after the sensor has become silent; nil if silence has no meaning.
  ///
  /// A sensor becomes silent when nothing changes, since the kernel reports only changes. A tape becomes silent at its
  /// end. The replacement ensures, for example, that a rotation does not last for ever.
  var atRest: Self? { get }
}

extension SensorReading {
  /// By default, readings may be skipped.
  public static var canBeThinned: Bool { true }

  /// Nil by default: after the sensor has become silent, no reading replaces the last reading.
  public var atRest: Self? { nil }
}

extension OSCArgument {
  /// Returns `arguments` as numbers; nil if an argument is not a number, or if there are not exactly `count` arguments.
  package static func floats(_ arguments: [OSCArgument], count: Int) -> [Float]? {
    guard arguments.count == count else { return nil }
    var numbers: [Float] = []
    for argument in arguments {
      guard let number = argument.number else { return nil }
      numbers.append(Float(number))
    }
    return numbers
  }

  /// Returns `arguments` as finite numbers; nil if there are not exactly `count` arguments, or not all are finite.
  package static func finite(_ arguments: [OSCArgument], count: Int) -> [Float]? {
    guard let numbers = floats(arguments, count: count) else { return nil }
    for number in numbers where !number.isFinite { return nil }
    return numbers
  }
}
