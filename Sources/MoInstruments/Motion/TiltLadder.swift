import MoDSP

/// Quantises an angle to steps, with hysteresis so that it does not flutter between two steps.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: yes.
struct TiltLadder: Sendable {
  /// The current step, counted from the middle; nil before the first angle.
  private(set) var step: Int?

  /// The hysteresis: how far beyond a step's edge the next step begins, in steps.
  private static let margin: Float = 0.2

  /// Updates the step from an angle; returns whether the step changed.
  ///
  /// - Parameters:
  ///   - angle: in degrees; 0 is the middle of step 0.
  ///   - width: the width of a step, in degrees.
  ///   - most: the outermost step on either side.
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
