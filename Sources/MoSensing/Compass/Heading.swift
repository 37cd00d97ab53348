import MoCore
import MoOSC

/// Where the device's top (its y axis) points.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
public struct Heading: SensorReading {
  /// On tapes and in the network: `,fff`: magnetic, true, accuracy, in degrees; a true heading that is not known is -1.
  public static let address = "/momu/compass"

  /// When the field was measured.
  public var time: HostTime
  /// In degrees clockwise from where a compass needle points, 0 … 360.
  public var magneticHeading: Float
  /// In degrees clockwise from true north, 0 … 360; nil while nobody has said where on the earth this is.
  public var trueHeading: Float? { north.isFinite ? north : nil }
  /// The heading is right within so many degrees, 19 times out of 20; 180 where nothing is known: turn the device about
  /// all its axes.
  public var accuracy: Float

  private var north: Float

  /// A heading given by its values.
  public init(time: HostTime, magnetic: Float, true north: Float? = nil, accuracy: Float) {
    self.time = time
    magneticHeading = Heading.wrapped(magnetic)
    self.north = north.map { Heading.wrapped($0) } ?? .nan
    self.accuracy = accuracy
  }

  /// The reading that `,fff` says; a true heading below 0, or one that is no number, is not known.
  public init?(time: HostTime, arguments: [OSCArgument]) {
    guard let numbers = OSCArgument.floats(arguments, count: 3), numbers[0].isFinite else { return nil }
    self.init(
      time: time, magnetic: numbers[0], true: numbers[1].isFinite && numbers[1] >= 0 ? numbers[1] : nil,
      accuracy: numbers[2])
  }

  /// As `,fff`: a patch that computes with what is no number has nothing else from then on.
  public var arguments: [OSCArgument] {
    [.float(magneticHeading), .float(trueHeading ?? -1), .float(accuracy)]
  }

  /// Two headings are equal where all is that is known of them.
  public static func == (left: Heading, right: Heading) -> Bool {
    left.time == right.time && left.magneticHeading == right.magneticHeading
      && left.trueHeading == right.trueHeading && left.accuracy == right.accuracy
  }

  /// The same, counted from another direction, with another north.
  func turned(by offset: Float, declination: Float?) -> Heading {
    Heading(
      time: time, magnetic: magneticHeading - offset,
      true: (declination.map { magneticHeading + $0 } ?? trueHeading).map { $0 - offset }, accuracy: accuracy)
  }

  /// An angle as 0 ..< 360.
  static func wrapped(_ degrees: Float) -> Float {
    let rest = degrees.truncatingRemainder(dividingBy: 360)
    let positive = rest < 0 ? rest + 360 : rest
    // A tiny angle below 0 is 360 in a float.
    return positive < 360 ? positive : 0
  }
}
