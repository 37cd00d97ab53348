import Glibc

/// Finds what of a measured field is the device's own: the middle of the sphere on which the earth's field lies in it,
/// however the device is turned.
///
/// Least squares without iteration: |m|² = 2 m·c + (r² − |c|²) is linear in the middle c and in the bracket. What was
/// measured long ago is forgotten by and by, since a device's own field changes.
///
/// - Source: I. Kåsa, *A circle fitting procedure and its error analysis* (1976), in three dimensions.
struct FieldCalibration: Sendable {
  /// What was found.
  struct Found: Equatable, Sendable {
    /// The device's own field, in µT.
    var offset: SIMD3<Double>
    /// The earth's, in µT.
    var strength: Double
    /// How far the offset may be off, in µT: twice its standard deviation.
    var doubt: Double
  }

  /// Sums of the four unknowns' products and of their products with |m|², about `origin`.
  private var matrix = [[Double]](repeating: [Double](repeating: 0, count: 4), count: 4)
  private var right = [Double](repeating: 0, count: 4)
  private var square = 0.0
  private var weight = 0.0
  /// Whatever came first: sums of large numbers lose what is small.
  private var origin: SIMD3<Double>?
  private var last = SIMD3<Double>.zero

  /// A reading nearer than that to the one before says nothing new, in µT: lying still is no measurement.
  private static let step = 3.0
  /// What is kept of the past with each reading that counts: some 300 of them.
  private static let memory = 0.997
  /// Of the earth's field: readings in one plane say nothing of what lies across it.
  private static let leastSpread = 0.12
  /// What the earth's field can be, with room for a device that measures badly.
  private static let strengths = 15.0...100.0

  /// Takes a reading in µT; whether it counted.
  mutating func take(_ field: SIMD3<Double>) -> Bool {
    guard let origin else {
      (origin, last) = (field, field)
      return false
    }
    let way = field - last
    guard (way * way).sum().squareRoot() >= Self.step else { return false }
    last = field
    let point = field - origin
    let unknowns = [2 * point.x, 2 * point.y, 2 * point.z, 1]
    let value = (point * point).sum()
    for row in 0..<4 {
      for column in 0..<4 {
        matrix[row][column] = matrix[row][column] * Self.memory + unknowns[row] * unknowns[column]
      }
      right[row] = right[row] * Self.memory + unknowns[row] * value
    }
    square = square * Self.memory + value * value
    weight = weight * Self.memory + 1
    return true
  }

  /// What is found so far; nil where there is too little to say, as after turning about one axis alone.
  var found: Found? {
    guard weight >= 12, let origin, let inverse = FieldCalibration.inverse(matrix) else { return nil }
    let solution = inverse.map { row in (0..<4).reduce(0) { $0 + row[$1] * right[$1] } }
    let middle = SIMD3(solution[0], solution[1], solution[2])
    let strength = (solution[3] + (middle * middle).sum()).squareRoot()
    guard Self.strengths.contains(strength), spread >= Self.leastSpread * strength else { return nil }
    // What the sphere leaves unexplained, as an error of |m|².
    let rest = max(0, square - (0..<4).reduce(0) { $0 + solution[$1] * right[$1] })
    let variance = rest / max(1, weight - 4)
    let doubt = 2 * (variance * (inverse[0][0] + inverse[1][1] + inverse[2][2])).squareRoot()
    guard doubt.isFinite, doubt < strength else { return nil }
    return Found(offset: middle + origin, strength: strength, doubt: doubt)
  }

  /// How far the readings lie apart, as a standard deviation, along the axis along which they do least.
  ///
  /// - Source: O. K. Smith, *Eigenvalues of a symmetric 3 × 3 matrix* (1961).
  private var spread: Double {
    let mean = (0..<3).map { matrix[$0][3] / (2 * weight) }
    func variance(_ row: Int, _ column: Int) -> Double {
      matrix[row][column] / (4 * weight) - mean[row] * mean[column]
    }
    let middle = (variance(0, 0) + variance(1, 1) + variance(2, 2)) / 3
    let (a, b, c) = (variance(0, 0) - middle, variance(1, 1) - middle, variance(2, 2) - middle)
    let (d, e, f) = (variance(0, 1), variance(0, 2), variance(1, 2))
    let size = ((a * a + b * b + c * c + 2 * (d * d + e * e + f * f)) / 6).squareRoot()
    guard size > 0 else { return max(0, middle).squareRoot() }
    let determinant = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)
    let angle = acos(min(max(determinant / (2 * size * size * size), -1), 1)) / 3
    return max(0, middle + 2 * size * cos(angle + 2 * .pi / 3)).squareRoot()
  }

  /// By Gauss and Jordan, with pivots; nil where some unknown is not determined.
  private static func inverse(_ matrix: [[Double]]) -> [[Double]]? {
    var left = matrix
    var right = (0..<4).map { row in (0..<4).map { $0 == row ? 1.0 : 0 } }
    let scale = matrix.indices.map { matrix[$0][$0] }.max() ?? 0
    for column in 0..<4 {
      let pivot = (column..<4).max { abs(left[$0][column]) < abs(left[$1][column]) } ?? column
      guard abs(left[pivot][column]) > scale * 1e-12 else { return nil }
      left.swapAt(pivot, column)
      right.swapAt(pivot, column)
      let factor = 1 / left[column][column]
      for place in 0..<4 {
        left[column][place] *= factor
        right[column][place] *= factor
      }
      for row in 0..<4 where row != column {
        let share = left[row][column]
        for place in 0..<4 {
          left[row][place] -= share * left[column][place]
          right[row][place] -= share * right[column][place]
        }
      }
    }
    return right
  }
}
