import Glibc
import MoCore
import MoOSC

/// Where the device is, by satellites.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
public struct Fix: SensorReading {
  /// On tapes and in the network: `,ddfffffd`: latitude, longitude, altitude, speed, course, accuracy, vertical
  /// accuracy, the moment in seconds since 1970; what is not known is no number.
  public static let address = "/momu/location"

  /// When it was received.
  public var time: HostTime
  /// In degrees, positive to the north.
  public var latitude: Double
  /// In degrees, positive to the east.
  public var longitude: Double
  /// Above mean sea level, in metres; nil where only the place on the ground is known.
  public var altitude: Float? { known(height) }
  /// Over the ground, in m/s; nil where not known.
  public var speed: Float? { known(metresPerSecond) }
  /// Over the ground, in degrees clockwise from true north, 0 … 360; nil while it does not move.
  public var course: Float? { known(direction) }
  /// The place is right within so many metres, 19 times out of 20; nil where not known.
  public var accuracy: Float? { known(radius) }
  /// The altitude is right within so many metres, 19 times out of 20; nil where not known.
  public var verticalAccuracy: Float? { known(span) }
  /// The moment that the satellites' clocks named, in seconds since 1970, UTC.
  public var utc: Double

  private var height: Float
  private var metresPerSecond: Float
  private var direction: Float
  private var radius: Float
  private var span: Float

  /// A fix given by its values.
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

  /// What is known before the first fix: nowhere.
  public static var unknown: Fix { Fix(time: .zero, latitude: .nan, longitude: .nan) }

  /// The reading that the arguments say; nil for what is no place on the earth.
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

  /// As `,ddfffffd`.
  public var arguments: [OSCArgument] {
    [
      .double(latitude), .double(longitude), .float(height), .float(metresPerSecond), .float(direction),
      .float(radius), .float(span), .double(utc),
    ]
  }

  /// Metres to another place, on a sphere of the earth's mean radius: right to half a per cent.
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

  /// Two fixes are equal where all is that is known of them.
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
