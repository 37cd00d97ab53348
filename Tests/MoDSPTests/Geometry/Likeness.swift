import MoDSP

extension Vector3 {
  /// Three numbers of a row, from a column on.
  init(_ row: [Float], at column: Int) { self.init(row[column], row[column + 1], row[column + 2]) }

  /// Whether the vectors are equal, except for rounding.
  func isNear(_ other: Vector3, within tolerance: Float = 1e-5) -> Bool {
    (self - other).length <= tolerance * max(1, other.length)
  }
}

extension Matrix4 {
  /// Sixteen numbers of a row, column by column.
  init(_ row: [Float], at column: Int) {
    func four(_ index: Int) -> SIMD4<Float> {
      SIMD4(row[index], row[index + 1], row[index + 2], row[index + 3])
    }
    self.init(x: four(column), y: four(column + 4), z: four(column + 8), origin: four(column + 12))
  }

  /// Whether the matrices are equal, except for rounding.
  func isNear(_ other: Matrix4, within tolerance: Float = 1e-5) -> Bool {
    (0..<16).allSatisfy {
      abs(elements[$0] - other.elements[$0]) <= tolerance * max(1, abs(other.elements[$0]))
    }
  }
}
