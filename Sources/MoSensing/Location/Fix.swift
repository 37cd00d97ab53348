import Glibc
import MoCore
import MoOSC

/// A position of the device, from satellite navigation.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
public struct Fix: SensorReading {
  /// The OSC address on tapes and in the network, with eight arguments of the types `,ddfffffd`.
  ///
  /// The values are latitude, longitude, altitude, speed, course, accuracy, vertical accuracy, and the time in seconds
  /// since 1970; unknown values are NaN.
  public static let address = "/momu/location"

  /// The time at which the fix was received.
  public var time: HostTime
  /// The latitude in degrees, positive to the north.
  public var latitude: Double
  /// The longitude in degrees, positive to the east.
  public var longitude: Double
  /// The altitude above mean sea level, in metres; nil if only the horizontal position is known.
  public var altitude: Float? { known(height) }
  /// The speed over the ground, in m/s; nil if unknown.
  public var speed: Float? { known(metresPerSecond) }
  /// The course over the ground, in degrees clockwise from true north, 0 … 360; nil while the device does not move.
  public var course: Float? { known(direction) }
  /// The accuracy of the position in metres: in 19 of 20 cases, the error is not larger; nil if unknown.
  public var accuracy: Float? { known(radius) }
  /// The accuracy of the altitude in metres: in 19 of 20 cases, the error is not larger; nil if unknown.
  public var verticalAccuracy: Float? { known(span) }
  /// The time by the satellites' clocks, in seconds since 1970, UTC; NaN if unknown.
  public var utc: Double

  private var height: Float
  private var metresPerSecond: Float
  private var direction: Float
  private var radius: Float
  private var span: Float

  /// Creates a fix from its values.
  public init(
    time: HostTime, latitude: Double, longitude: Double, altitude: Float? = nil, speed: Float? = nil,
    course: Float? = nil, accuracy: Float? = nil, verticalAccuracy: Float? = nil, utc: Double = .nan
  ) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.utc = utc
    height = altitude ?? .nan
    metresPerSecond = speed ?? .nan
    direction = course ?? .nan
    radius = accuracy ?? .nan
    span = verticalAccuracy ?? .nan
  }

  /// The value before the first measurement: `unknown`.
  public static var initial: Fix { .unknown }

  /// A fix without a position: the value of `MoLocation.reading` before the first fix.
  public static var unknown: Fix { Fix(time: .zero, latitude: .nan, longitude: .nan) }

  /// Creates the reading from OSC arguments of types `,ddfffffd`; nil if they are not a place on the earth.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    guard arguments.count == 8, let latitude = arguments[0].number, let longitude = arguments[1].number,
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else { return nil }
    func part(_ index: Int) -> Float? { arguments[index].number.map { Float($0) } }
    self.init(
      time: time, latitude: latitude, longitude: longitude, altitude: part(2), speed: part(3),
      course: part(4),
      accuracy: part(5), verticalAccuracy: part(6), utc: arguments[7].number ?? .nan)
  }

  /// The reading as OSC arguments of types `,ddfffffd`.
  public var arguments: [OSCArgument] {
    [
      .double(latitude), .double(longitude), .float(height), .float(metresPerSecond), .float(direction),
      .float(radius), .float(span), .double(utc),
    ]
  }

  /// Returns the distance to another place in metres, on a sphere of the earth's mean radius: correct to 0.5 %.
  ///
  /// - Source: R. W. Sinnott, *Virtues of the Haversine*, Sky and Telescope 68 (1984).
  public func metres(to other: Fix) -> Double {
    let radians = Double.pi / 180
    let (here, there) = (latitude * radians, other.latitude * radians)
    let up = sin((there - here) / 2)
    let across = sin((other.longitude - longitude) * radians / 2)
    let half = up * up + cos(here) * cos(there) * across * across
    return 2 * 6_371_008.8 * asin(min(1, half.squareRoot()))
  }

  /// Compares all values; two unknown values are equal.
  public static func == (left: Fix, right: Fix) -> Bool {
    func same(_ one: Double, _ other: Double) -> Bool { one == other || one.isNaN && other.isNaN }
    return left.time == right.time && same(left.latitude, right.latitude)
      && same(left.longitude, right.longitude)
      && left.altitude == right.altitude && left.speed == right.speed && left.course == right.course
      && left.accuracy == right.accuracy && left.verticalAccuracy == right.verticalAccuracy
      && same(left.utc, right.utc)
  }

  private func known(_ value: Float) -> Float? { value.isFinite ? value : nil }
}
