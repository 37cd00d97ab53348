/// Converts a sensor's values for sending: multiplies by a scale, adds an offset, clamps to a range.
struct Conversion: Equatable, Sendable {
  var scale = 1.0
  var offset = 0.0
  /// The range to which values are clamped.
  var range: ClosedRange<Double>?

  var isNeeded: Bool { self != Conversion() }

  /// Returns the converted value; NaN and infinity are not clamped.
  func callAsFunction(_ value: Float) -> Float {
    let converted = Double(value) * scale + offset
    guard let range, converted.isFinite else { return Float(converted) }
    return Float(min(max(converted, range.lowerBound), range.upperBound))
  }
}
