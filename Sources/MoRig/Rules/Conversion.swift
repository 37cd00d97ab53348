/// Makes of a sensor's values those that are sent: times a scale, plus an offset, within a range.
struct Conversion: Equatable, Sendable {
  var scale = 1.0
  var offset = 0.0
  /// What lies outside becomes the nearer end.
  var range: ClosedRange<Double>?

  var isNeeded: Bool { self != Conversion() }

  /// Values that are no numbers stay so.
  func callAsFunction(_ value: Float) -> Float {
    let converted = Double(value) * scale + offset
    guard let range, converted.isFinite else { return Float(converted) }
    return Float(min(max(converted, range.lowerBound), range.upperBound))
  }
}
