/// Tempi that can be played.
public enum Tempo {
  /// Beats a minute, from a beat every three seconds to sixteen a second.
  public static let range = 20.0...999.0

  /// The nearest tempo that can be played; 120 for what is no number.
  public static func nearest(_ beatsPerMinute: Double) -> Double {
    beatsPerMinute.isNaN ? 120 : min(max(beatsPerMinute, range.lowerBound), range.upperBound)
  }
}
