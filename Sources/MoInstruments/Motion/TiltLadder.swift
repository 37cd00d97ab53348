import MoDSP

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
  /// - Parameters:
  ///   - angle: in degrees; 0 is the middle of step 0.
  ///   - width: the width of a step, in degrees.
  ///   - most: the number of steps on either side of step 0; larger angles give the outermost step.
  mutating func climb(to angle: Float, width: Float, most: Int) -> Bool {
    let place = max(-Float(most), min(angle / max(width, 0.05), Float(most)))
    guard let step else {
      self.step = Int(place.rounded())
      return false
    }
    guard abs(place - Float(step)) > 0.5 + Self.margin else { return false }
    self.step = Int(place.rounded())
    return true
  }
}
