import MoCore
import MoOSC

/// What one kind of sensor says at one moment, and how it stands on a tape and goes over the network.
///
/// - Thread: any; it is a plain value.
public protocol SensorReading: BitwiseCopyable, Equatable, Sendable {
  /// The OSC address of such readings, such as `/momu/gyro`.
  static var address: String { get }

  /// When the sensor measured it.
  var time: HostTime { get set }

  /// Its values as OSC arguments, without the time: a bundle's time tag carries that.
  var arguments: [OSCArgument] { get }

  /// The reading that a message's arguments say; nil where they say none.
  init?(time: HostTime, arguments: [OSCArgument])

  /// Whether readings may be left out where a program wants fewer; false for those that are news, each of them.
  static var canBeThinned: Bool { get }

  /// What is true once a sensor that said this says nothing more; nil where silence says nothing.
  ///
  /// The kernel reports changes only, and tapes end: what follows a reading must not go on for ever.
  var atRest: Self? { get }
}

extension SensorReading {
  /// One is like the next.
  public static var canBeThinned: Bool { true }

  /// Silence says nothing.
  public var atRest: Self? { nil }
}

extension OSCArgument {
  /// The numbers that all of `arguments` are; nil where one is none, or there are not `count`.
  package static func floats(_ arguments: [OSCArgument], count: Int) -> [Float]? {
    guard arguments.count == count else { return nil }
    var numbers: [Float] = []
    for argument in arguments {
      guard let number = argument.number else { return nil }
      numbers.append(Float(number))
    }
    return numbers
  }

  /// The numbers that all of `arguments` are, each of them finite; nil otherwise.
  package static func finite(_ arguments: [OSCArgument], count: Int) -> [Float]? {
    guard let numbers = floats(arguments, count: count) else { return nil }
    for number in numbers where !number.isFinite { return nil }
    return numbers
  }
}
