extension Matrix4 {
  /// The inverse matrix; nil if the matrix is singular (it flattens space).
  public var inverse: Matrix4? {
    // Gauss-Jordan elimination with the largest pivot, in double precision: rows are left and right halves.
    var left = transposed.columns
    var right = Matrix4.identity.columns
    for step in 0..<4 {
      var pivot = step
      for row in step + 1..<4 where abs(left[row][step]) > abs(left[pivot][step]) { pivot = row }
      left.swapAt(step, pivot)
      right.swapAt(step, pivot)
      let divisor = left[step][step]
      guard divisor != 0, divisor.isFinite else { return nil }
      left[step] /= divisor
      right[step] /= divisor
      for row in 0..<4 where row != step {
        let factor = left[row][step]
        left[row] -= left[step] * factor
        right[row] -= right[step] * factor
      }
    }
    let rows = right.span
    return Matrix4(
      x: SIMD4(rows[0]), y: SIMD4(rows[1]), z: SIMD4(rows[2]), origin: SIMD4(rows[3])
    ).transposed
  }

  private var columns: InlineArray<4, SIMD4<Double>> { [SIMD4(x), SIMD4(y), SIMD4(z), SIMD4(origin)] }
}
