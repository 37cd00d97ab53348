import MoCore
import MoOSC

/// The heading of the device's top edge (its y axis).
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
public struct Heading: SensorReading {
  /// The OSC address on tapes and in the network, with three arguments of the types `,fff`.
  ///
  /// The arguments are magnetic heading, true heading and accuracy, in degrees; an unknown true heading is -1.
  public static let address = "/momu/compass"

  /// The value before the first measurement: north, with an accuracy of 180°.
  public static var initial: Self { Self(time: .zero, magnetic: 0, accuracy: 180) }

  /// The time at which the magnetic field was measured.
  public var time: HostTime
  /// The angle in degrees clockwise from magnetic north, 0 … 360.
  public var magneticHeading: Float
  /// The angle in degrees clockwise from true north, 0 … 360; nil until the place on the earth is set.
  public var trueHeading: Float? { north.isFinite ? north : nil }
  /// The accuracy in degrees: in 19 of 20 cases, the heading's error is not larger.
  ///
  /// The value is 180 if the accuracy is unknown: then turn the device about all its axes.
  public var accuracy: Float

  private var north: Float

  /// Creates a heading from its values.
  public init(time: HostTime, magnetic: Float, true north: Float? = nil, accuracy: Float) {
    self.time = time
    magneticHeading = Heading.wrapped(magnetic)
    self.north = north.map { Heading.wrapped($0) } ?? .nan
    self.accuracy = accuracy
  }

  /// Creates the reading from OSC arguments of types `,fff`; a true heading below 0 or NaN counts as unknown.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    guard let numbers = OSCArgument.floats(arguments, count: 3), numbers[0].isFinite else { return nil }
    self.init(
      time: time, magnetic: numbers[0], true: numbers[1].isFinite && numbers[1] >= 0 ? numbers[1] : nil,
      accuracy: numbers[2])
  }

  /// The reading as OSC arguments of types `,fff`, never NaN.
  ///
  /// NaN is avoided, because a receiver that computes with NaN once may yield only NaN from then on.
  public var arguments: [OSCArgument] {
    [.float(magneticHeading), .float(trueHeading ?? -1), .float(accuracy)]
  }

  /// Compares all values; two unknown true headings are equal.
  public static func == (left: Heading, right: Heading) -> Bool {
    left.time == right.time && left.magneticHeading == right.magneticHeading
      && left.trueHeading == right.trueHeading && left.accuracy == right.accuracy
  }

  /// Returns the heading with `offset` degrees subtracted from `magneticHeading` and `trueHeading`.
  ///
  /// If `declination` is not nil, the true heading is first set to the magnetic heading plus the declination. Otherwise
  /// the true heading of this reading is used.
  package func turned(by offset: Float, declination: Float?) -> Heading {
    Heading(
      time: time, magnetic: magneticHeading - offset,
      true: (declination.map { magneticHeading + $0 } ?? trueHeading).map { $0 - offset }, accuracy: accuracy)
  }

  /// Wraps an angle into 0 ..< 360.
  static func wrapped(_ degrees: Float) -> Float {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest
    // A tiny negative angle plus 360 rounds to 360 in a Float.
    return positive < 360 ? positive : 0
  }
}
