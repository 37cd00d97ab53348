import Glibc

/// Finds out whether an app writes g or m/s²: a hand that holds a phone still holds 1 g or 9.8 m/s².
///
/// The length of a reading is compared, as a mean of logarithms, with the middle between the two. The first
/// reading decides at once; one that came in the middle of a shake is outvoted by those that follow.
struct PhoneUnit: Sendable {
  private var mean: Float = 0
  private var count: Float = 0

  /// How many readings the mean remembers: about a second's.
  private static let memory: Float = 64
  private static let middle = log2f(PhoneLayout.metresPerG) / 2

  /// Whether it is m/s²; nil before the first reading.
  var isMetric: Bool? { count == 0 ? nil : mean > PhoneUnit.middle }

  /// Takes the length of a reading in the unknown unit.
  mutating func learn(_ length: Float) {
    count = min(count + 1, PhoneUnit.memory)
    // A phone in free fall says nothing of its unit, and its logarithm too much.
    mean += (log2f(min(max(length, 0.25), 40)) - mean) / count
  }
}

extension SIMD3<Float> {
  /// The length of the vector.
  var length: Float { (self * self).sum().squareRoot() }
}
