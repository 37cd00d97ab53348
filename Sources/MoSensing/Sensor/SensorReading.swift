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

  /// The reading that ends this reading, such as the release of a pressed button; nil if this reading needs no end.
  ///
  /// If the source stops or another source replaces it, the sensor delivers the ends that the source has not delivered.
  var ending: Self? { get }
}

extension SensorReading {
  /// By default, readings may be skipped.
  public static var canBeThinned: Bool { true }

  /// Nil by default: after the sensor has become silent, no reading replaces the last reading.
  public var atRest: Self? { nil }

  /// Nil by default: no reading needs an end.
  public var ending: Self? { nil }
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

/// A repeater of a sensor's resting value while the sensor is silent, until the activity has become 0.
///
/// The kernel reports only changes, so a device that lies completely still reports nothing. A tape that has ended
/// reports nothing either. Without repetition, a sound that follows the activity would never end.
package struct RestRepeater<Reading: SensorReading> {
  private var last: Reading?
  private var silence: Int64 = 0

  /// The silence before the first repetition, in nanoseconds: longer than the pause between two readings of any sensor.
  private static var repeatDelay: Int64 { 150_000_000 }
  private static var period: Int64 { 50_000_000 }
  /// The time from the sensor's last reading to the last repetition, in nanoseconds.
  ///
  /// After this time, even the activity of the wildest shake is exactly 0.
  private static var longest: Int64 { 1_500_000_000 }

  package init() {}

  /// The time of the next repetition; nil if there is none.
  package var nextTime: HostTime? {
    guard let last, silence <= Self.longest else { return nil }
    return last.time.advanced(byNanoseconds: silence)
  }

  /// Handles a reading of the sensor: stores the resting value, and restarts the wait for the first repetition.
  package mutating func hold(_ reading: Reading) {
    last = reading.atRest
    silence = Self.repeatDelay
  }

  /// Returns the next repetition that is due by `now`; nil if no repetition is due.
  package mutating func next(until now: HostTime) -> Reading? {
    guard var reading = last, let time = nextTime, time <= now else { return nil }
    reading.time = time
    silence += Self.period
    return reading
  }
}
