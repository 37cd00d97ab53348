import MoDSP

/// What of a motion a rule looks at.
public enum MotionSource: String, Sendable, CaseIterable {
  /// To the sides, in degrees, −180 … 180: positive tipped to the right.
  case tiltRoll = "tilt-roll"
  /// Forth and back, in degrees, −90 … 90: positive with the top edge up.
  case tiltPitch = "tilt-pitch"
  /// The acceleration to the right in g, gravity included.
  case x
  /// The acceleration to the top edge in g, gravity included.
  case y
  /// The acceleration out of the face in g, gravity included.
  case z
  /// How wildly it moves, 0 … 1.
  case activity
  /// The energy of the movement in g².
  case energy
  /// The force of a stroke, 0 … 1, in the moment where a shake sets in.
  case jerk
  /// The force of a tap, 0 … 1, in the moment where it is over.
  case tap
  /// Whether it is shaken to and fro: 1 or 0.
  case shake

  /// The source's value in a motion; nil where it says nothing in this moment.
  func value(_ motion: Motion) -> Float? {
    switch self {
    case .tiltRoll: motion.tilt.roll
    case .tiltPitch: motion.tilt.pitch
    case .x: motion.x
    case .y: motion.y
    case .z: motion.z
    case .activity: motion.activity
    case .energy: motion.energy
    case .jerk: motion.jerk
    case .tap: motion.tap
    case .shake: motion.isShaken ? 1 : 0
    }
  }

  /// Whether it speaks in single moments only.
  var isMomentary: Bool { self == .jerk || self == .tap }

  /// Its way where nothing is said.
  var usual: Mapping.Span {
    switch self {
    case .tiltRoll, .tiltPitch: .init(-45, 45)
    case .x, .y, .z: .init(-1, 1)
    case .energy: .init(0, 4)
    case .activity, .jerk, .tap, .shake: .init(0, 1)
    }
  }
}
