import MoDSP

/// Turns an angle into one of so many steps, and does not tremble between two of them.
///
/// - Thread: one owner; the audio thread once playing.
/// - Real-time safe: yes.
struct TiltLadder: Sendable {
  /// The step where the angle is, counted from the middle; nil before the first angle.
  private(set) var step: Int?

  /// How far beyond a step's edge the next begins, in steps.
  private static let margin: Float = 0.2

  /// Looks at an angle; whether it came to another step.
  ///
  /// - Parameters:
  ///   - angle: in degrees, 0 in the middle of step 0.
  ///   - width: of a step, in degrees.
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
