import MoDSP

/// The amount of movement of a hand, 0 … 1, from shaking or turning; exactly 0 at rest.
///
/// A slow sway counts as much as a shake, so a player who can only lean can also play.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes.
struct MotionEffort: Sendable {
  /// The current amount, 0 … 1.
  private(set) var value: Float = 0
  private var last: Motion?
  private var lastUp = SIMD3<Float>.zero
  private var turning = SIMD3<Float>.zero

  /// The time over which the turning speed is averaged, in seconds, to remove the noise of the sensor.
  private static let turnTime: Float = 0.15
  /// The turning speed, in radians per second, up to which turning counts as no effort.
  private static let stillTurn: Float = 0.2
  /// The turning speed, in radians per second, from which on the effort is 1.
  private static let fullTurn: Float = 2.5
  /// The activity of a motion at and above which the effort is 1.
  private static let fullActivity: Float = 0.6

  /// Updates the value with a reading.
  mutating func follow(_ motion: Motion) {
    let up = motion.tilt.up
    if let last {
      let seconds = max(0.001, min(Float(motion.time.seconds(since: last.time)), 1))
      turning += ((up - lastUp) / seconds - turning) * (seconds / (Self.turnTime + seconds))
    }
    (last, lastUp) = (motion, up)
    let speed = (turning * turning).sum().squareRoot()
    let turn = max(0, (speed - Self.stillTurn) / (Self.fullTurn - Self.stillTurn))
    value = min(1, max(turn, motion.activity / Self.fullActivity))
  }
}

/// A conversion of tilt angles to whole numbers (steps), with hysteresis, so that the step does not flutter between two
/// values.
///
/// - Thread: one owner; the audio thread during play.
/// - Real-time safe: yes.
struct TiltLadder: Sendable {
  /// The current step, counted from the middle; nil before the first angle.
  private(set) var step: Int?

  /// The hysteresis: the angle must go beyond the edge of a step by this fraction of a step before the step changes.
  private static let margin: Float = 0.2

  /// Updates the step from an angle; returns whether the step changed, false for the first angle.
  ///
  /// Angles that differ by 360° are the same: the ladder takes the angle that is nearest to the current step. So the
  /// step does not jump from end to end if the device is turned over, where the roll changes from 180° to −180°.
  ///
  /// - Parameters:
  ///   - angle: in degrees; 0 is the middle of step 0.
  ///   - width: the width of a step, in degrees.
  ///   - most: the number of steps on either side of step 0; larger angles give the outermost step.
  mutating func climb(to angle: Float, width: Float, most: Int) -> Bool {
    let width = max(width, 0.05)
    let turns = step.map { ((angle - Float($0) * width) / 360).rounded() } ?? 0
    let place = max(-Float(most), min((angle - 360 * turns) / width, Float(most)))
    guard let step else {
      self.step = Int(place.rounded())
      return false
    }
    guard abs(place - Float(step)) > 0.5 + Self.margin else { return false }
    self.step = Int(place.rounded())
    return true
  }
}
