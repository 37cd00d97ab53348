/// The range of tempos that can be played.
public enum Tempo {
  /// The tempos in beats per minute, from a beat every three seconds to sixteen beats per second.
  public static let range = 20.0...999.0

  /// Clamps a tempo to `range`; NaN becomes 120.
  public static func nearest(_ beatsPerMinute: Double) -> Double {
    beatsPerMinute.isNaN ? 120 : min(max(beatsPerMinute, range.lowerBound), range.upperBound)
  }
}
