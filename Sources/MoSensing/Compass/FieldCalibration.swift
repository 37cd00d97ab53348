import Glibc

/// An estimate of the device's own magnetic field, from readings in many positions of the device.
///
/// The readings lie on a sphere. Its radius is the strength of the earth's field, and its centre is the device's own
/// field.
///
/// The sphere is found by least squares without iteration. For a reading m and the radius r, |m|² = 2 m·c + (r² − |c|²)
/// is linear in four unknowns: the three components of the centre c, and the bracket. Old readings are gradually
/// forgotten, since a device's own field changes.
///
/// - Source: I. Kåsa, *A circle fitting procedure and its error analysis* (1976), in three dimensions.
package struct FieldCalibration: Sendable {
  /// The result of the estimate.
  package struct Found: Equatable, Sendable {
    /// The device's own field, in µT.
    package var offset: SIMD3<Double>
    /// The strength of the earth's field, in µT.
    package var strength: Double
    /// The uncertainty of the offset, in µT: twice its standard deviation.
    package var doubt: Double

    package init(offset: SIMD3<Double>, strength: Double, doubt: Double) {
      (self.offset, self.strength, self.doubt) = (offset, strength, doubt)
    }

    /// Returns whether this later estimate replaces `earlier`.
    ///
    /// This estimate replaces `earlier` if this estimate is at least as exact, or if the two offsets differ so much
    /// that the device's own field has changed.
    ///
    /// The offsets of an unchanged field differ by more than both doubts together in a few cases of a hundred, and by
    /// more than twice as much almost never.
    func replaces(_ earlier: Found) -> Bool {
      doubt <= earlier.doubt || distance(to: earlier) > 2 * (doubt + earlier.doubt)
    }

    /// Returns the distance between the two offsets, in µT.
    func distance(to other: Found) -> Double {
      let change = offset - other.offset
      return (change * change).sum().squareRoot()
    }
  }

  /// The matrix of the least squares: the sums of the products of the unknowns' coefficients.
  ///
  /// Each counted reading m, taken relative to `origin`, has the four coefficients 2·m.x, 2·m.y, 2·m.z and 1. In the
  /// sums, older readings have less weight (`memory`).
  private var matrix = [[Double]](repeating: [Double](repeating: 0, count: 4), count: 4)
  /// The right side of the least squares: for each coefficient, the weighted sum of its products with |m|².
  private var right = [Double](repeating: 0, count: 4)
  /// The weighted sum of |m|⁴ over the counted readings m, each relative to `origin`.
  private var square = 0.0
  /// The sum of the weights of the counted readings.
  private var weight = 0.0
  /// The first reading, which is subtracted from all readings, so that the sums stay small and lose no small terms.
  private var origin: SIMD3<Double>?
  private var last = SIMD3<Double>.zero

  package init() {}

  /// The distance in µT from the last counted reading below which a reading is not counted.
  ///
  /// A device that lies still gives no new information.
  private static let step = 3.0
  /// The factor by which each counted reading reduces the weight of the past: about 300 readings are remembered.
  private static let memory = 0.997
  /// The least standard deviation of the readings in each direction for a valid estimate, relative to the earth's
  /// field.
  ///
  /// Readings in a plane contain no information about the direction perpendicular to the plane.
  private static let leastSpread = 0.12
  /// The range in which an estimated strength of the earth's field is accepted, in µT.
  ///
  /// The range is wider than the real range, for devices that measure badly.
  private static let strengths = 15.0...100.0

  /// Adds a reading in µT; returns false if the reading is not counted.
  ///
  /// The first reading is not counted. A later reading is not counted if it is too close to the last counted reading.
  package mutating func add(_ field: SIMD3<Double>) -> Bool {
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

  /// The present estimate; nil if there is too little data, such as after turns about one axis only.
  package var found: Found? {
    guard weight >= 12, let origin, let inverse = FieldCalibration.inverse(matrix) else { return nil }
    let solution = inverse.map { row in (0..<4).reduce(0) { $0 + row[$1] * right[$1] } }
    let middle = SIMD3(solution[0], solution[1], solution[2])
    let strength = (solution[3] + (middle * middle).sum()).squareRoot()
    guard Self.strengths.contains(strength), spread >= Self.leastSpread * strength else { return nil }
    // The rest that the sphere does not explain, as an error of |m|².
    let rest = max(0, square - (0..<4).reduce(0) { $0 + solution[$1] * right[$1] })
    let variance = rest / max(1, weight - 4)
    let doubt = 2 * (variance * (inverse[0][0] + inverse[1][1] + inverse[2][2])).squareRoot()
    guard doubt.isFinite, doubt < strength else { return nil }
    return Found(offset: middle + origin, strength: strength, doubt: doubt)
  }

  /// The standard deviation of the readings along the axis with the least spread.
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

  /// Inverts a matrix by Gauss-Jordan elimination with pivots; returns nil if it is singular.
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
