import Glibc

/// An estimate of the unit of an app's values, g or m/s²: a phone that is held still shows a length of 1 or 9.8.
///
/// The mean logarithm of the readings' lengths is compared with the midpoint between the logarithms of 1 and 9.8. The
/// first reading decides immediately. If that reading is part of a shake, the following readings correct the result.
struct PhoneUnit: Sendable {
  private var mean: Float = 0
  private var count: Float = 0

  /// The number of readings over which the mean is taken: about as many as arrive in a second.
  private static let memory: Float = 64
  private static let middle = log2f(PhoneLayout.metresPerG) / 2

  /// Whether the unit is m/s²; nil before the first reading.
  var isMetric: Bool? { count == 0 ? nil : mean > PhoneUnit.middle }

  /// Adds the length of a reading in the unknown unit.
  mutating func learn(_ length: Float) {
    count = min(count + 1, PhoneUnit.memory)
    // A phone in free fall does not tell its unit, and the logarithm of a tiny length would dominate.
    mean += (log2f(min(max(length, 0.25), 40)) - mean) / count
  }
}

extension SIMD3<Float> {
  /// The length of the vector.
  var length: Float { (self * self).sum().squareRoot() }
}
