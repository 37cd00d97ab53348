import MoDSP

/// A feature of the motion that a rule reads.
public enum MotionSource: String, Sendable, CaseIterable {
  /// Roll in degrees, −180 … 180: positive if tipped to the right.
  case tiltRoll = "tilt-roll"
  /// Pitch in degrees, −90 … 90: positive if the top edge is up.
  case tiltPitch = "tilt-pitch"
  /// The acceleration to the right, in g, including gravity.
  case x
  /// The acceleration towards the top edge, in g, including gravity.
  case y
  /// The acceleration out of the screen, in g, including gravity.
  case z
  /// The amount of movement, from 0 (still) to 1 (wild).
  case activity
  /// The energy of the movement in g²: the mean square of the acceleration without gravity, over about 1/8 s.
  case energy
  /// The force of a strike, 0 … 1; the source has a value only in the reading at which the strike begins.
  case jerk
  /// The force of a tap, 0 … 1; the source has a value only in the reading at which the tap ends.
  case tap
  /// 1 while the device is shaken to and fro, otherwise 0.
  case shake

  /// Returns the source's value in a motion; nil for a strike or tap that the motion does not contain.
  func value(_ motion: Motion) -> Float? {
    switch self {
    case .tiltRoll: motion.tilt.roll
    case .tiltPitch: motion.tilt.pitch
    case .x: motion.x
    case .y: motion.y
    case .z: motion.z
    case .activity: motion.activity
    case .energy: motion.energy
    case .jerk: motion.strike
    case .tap: motion.tap
    case .shake: motion.isShaken ? 1 : 0
    }
  }

  /// Whether the source has a value only in the reading of a strike or tap; all other sources have a value in every
  /// reading.
  var isMomentary: Bool { self == .jerk || self == .tap }

  /// The default range of the source, such as −45…45 degrees for tilt.
  var usual: Mapping.Span {
    switch self {
    case .tiltRoll, .tiltPitch: .init(-45, 45)
    case .x, .y, .z: .init(-1, 1)
    case .energy: .init(0, 4)
    case .activity, .jerk, .tap, .shake: .init(0, 1)
    }
  }
}
