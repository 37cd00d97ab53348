import Glibc

/// A 4 × 4 matrix that transforms points in space, like the type `mat4` of shaders.
///
/// Vectors are columns, so `a * b` applies `b` first. `elements` has the order that OpenGL expects, column by column.
/// In a matrix that only moves, rotates and scales, the last numbers of the four columns are 0, 0, 0 and 1. In a
/// perspective view, these four numbers have other values.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Matrix4: Equatable, Sendable, BitwiseCopyable {
  /// The first column: the x axis after the transformation.
  public var x: SIMD4<Float>
  /// The second column: the y axis after the transformation.
  public var y: SIMD4<Float>
  /// The third column: the z axis after the transformation.
  public var z: SIMD4<Float>
  /// The fourth column: the origin after the transformation.
  public var origin: SIMD4<Float>

  /// Creates a matrix from its four columns.
  @inlinable
  public init(x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>, origin: SIMD4<Float>) {
    self.x = x
    self.y = y
    self.z = z
    self.origin = origin
  }

  /// The matrix that changes nothing.
  @inlinable
  public static var identity: Matrix4 {
    Matrix4(x: SIMD4(1, 0, 0, 0), y: SIMD4(0, 1, 0, 0), z: SIMD4(0, 0, 1, 0), origin: SIMD4(0, 0, 0, 1))
  }

  /// The sixteen numbers, column by column.
  @inlinable
  public var elements: InlineArray<16, Float> {
    InlineArray { index in self[index & 3, index >> 2] }
  }

  /// The number in a row and a column, both 0 … 3.
  @inlinable
  public subscript(row: Int, column: Int) -> Float {
    precondition(row >= 0 && row < 4 && column >= 0 && column < 4, "a row and a column must be 0 to 3")
    return switch column {
    case 0: x[row]
    case 1: y[row]
    case 2: z[row]
    default: origin[row]
    }
  }

  /// Returns the product of a matrix and a vector of four numbers, as in a shader.
  @inlinable
  public static func * (matrix: Matrix4, vector: SIMD4<Float>) -> SIMD4<Float> {
    matrix.x * vector.x + matrix.y * vector.y + matrix.z * vector.z + matrix.origin * vector.w
  }

  /// Returns the matrix that applies `right` first, then `left`.
  @inlinable
  public static func * (left: Matrix4, right: Matrix4) -> Matrix4 {
    Matrix4(x: left * right.x, y: left * right.y, z: left * right.z, origin: left * right.origin)
  }

  /// Returns the transformed point; for perspective, its coordinates are divided by its fourth number, w.
  ///
  /// In a perspective view, w is 0 for points in the plane of the eye: the components of the result are infinite or
  /// NaN.
  @inlinable
  public func transform(point: Vector3) -> Vector3 {
    let moved = self * SIMD4(point.simd, 1)
    return Vector3(SIMD3(moved.x, moved.y, moved.z) / moved.w)
  }

  /// Returns the transformed direction: rotated and scaled, but not translated.
  @inlinable
  public func transform(direction: Vector3) -> Vector3 {
    let moved = self * SIMD4(direction.simd, 0)
    return Vector3(moved.x, moved.y, moved.z)
  }

  /// The matrix with rows and columns exchanged.
  @inlinable
  public var transposed: Matrix4 {
    Matrix4(
      x: SIMD4(x.x, y.x, z.x, origin.x), y: SIMD4(x.y, y.y, z.y, origin.y),
      z: SIMD4(x.z, y.z, z.z, origin.z), origin: SIMD4(x.w, y.w, z.w, origin.w))
  }
}

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

/// The camera matrices that OpenGL and WebGL expect.
///
/// - Source: *OpenGL 2.1 Reference*: gluPerspective, glOrtho, gluLookAt, glRotate.
extension Matrix4 {
  /// Returns the matrix of a perspective projection, in which distant things are small.
  ///
  /// The eye looks along −z. After the projection, visible points have coordinates −1 … 1 on every axis. The nearest
  /// points have z = −1.
  ///
  /// - Parameters:
  ///   - fieldOfView: the angle from the bottom to the top of the picture, in radians; clamped to 0.001 … 3.14.
  ///   - aspect: the picture's width divided by its height; a value that is not above 0, or is infinite, counts as 1.
  ///   - near: the distance from the eye to the nearest visible point; raised to at least 1e-6.
  ///   - far: the distance from the eye to the farthest visible point, possibly infinite; raised to at least 1.001
  ///     times `near`.
  @inlinable
  public static func perspective(fieldOfView: Float, aspect: Float, near: Float, far: Float) -> Matrix4 {
    let height = 1 / tanf(clamped(fieldOfView, 0.001, 3.14) / 2)
    let width = height / (aspect > 0 && aspect.isFinite ? aspect : 1)
    let near = clamped(near, 1e-6, 1e30)
    let far = far > near * 1.001 ? far : near * 1.001
    // Divided by `far`, so that an infinite value works.
    let depth = far == .infinity ? 1 : (1 + near / far) / (1 - near / far)
    return Matrix4(
      x: SIMD4(width, 0, 0, 0), y: SIMD4(0, height, 0, 0), z: SIMD4(0, 0, -depth, -1),
      origin: SIMD4(0, 0, -near * (1 + depth), 0))
  }

  /// Returns the matrix of an orthographic projection, without perspective: a box in space becomes the picture.
  ///
  /// The eye looks along −z. After the projection, visible points have coordinates −1 … 1 on every axis. The nearest
  /// points have z = −1.
  ///
  /// The box extends from `left` to `right` on the x axis and from `bottom` to `top` on the y axis. `near` and `far`
  /// are the distances of the box's ends from the eye, along −z. A box without width, height or depth counts as 1 wide,
  /// high or deep.
  @inlinable
  public static func orthographic(
    left: Float, right: Float, bottom: Float, top: Float, near: Float = -1, far: Float = 1
  ) -> Matrix4 {
    func extent(_ from: Float, _ to: Float) -> Float { to == from ? 1 : to - from }
    let (width, height, depth) = (extent(left, right), extent(bottom, top), extent(near, far))
    return Matrix4(
      x: SIMD4(2 / width, 0, 0, 0), y: SIMD4(0, 2 / height, 0, 0), z: SIMD4(0, 0, -2 / depth, 0),
      origin: SIMD4(-(left + right) / width, -(bottom + top) / height, -(near + far) / depth, 1))
  }

  /// Returns the matrix of a projection for drawing in screen points, with (0, 0) in the middle of the screen.
  ///
  /// After the projection, points on the screen have coordinates −1 … 1 on both axes. The picture may be rotated in
  /// quarter turns.
  ///
  /// - Parameters:
  ///   - width: the width of the screen, in points.
  ///   - height: the height of the screen, in points.
  ///   - quarterTurns: the number of counterclockwise quarter turns of the picture.
  @inlinable
  public static func screen(width: Float, height: Float, quarterTurns: Int = 0) -> Matrix4 {
    let isUpright = quarterTurns & 1 == 0
    let (across, up) = isUpright ? (width / 2, height / 2) : (height / 2, width / 2)
    let flat = orthographic(left: -across, right: across, bottom: -up, top: up)
    let x = SIMD4<Float>(0, 1, 0, 0)
    let y = SIMD4<Float>(-1, 0, 0, 0)
    let quarter = Matrix4(x: x, y: y, z: identity.z, origin: identity.origin)
    return (0..<(quarterTurns & 3)).reduce(flat) { turned, _ in quarter * turned }
  }

  /// Returns the view matrix of an eye at the point `eye` that looks at the point `target`.
  ///
  /// After the multiplication by this matrix, the eye is at the origin and looks along −z.
  ///
  /// `up` is a direction in space that points up in the picture. If both points are equal, the view is along −z. If
  /// `up` is zero or parallel to the line of sight, another direction counts as up.
  @inlinable
  public static func look(from eye: Vector3, at target: Vector3, up: Vector3 = Vector3(0, 1, 0)) -> Matrix4 {
    let sight = target == eye ? Vector3(0, 0, -1) : (target - eye).normalized
    var right = sight.cross(up.normalized)
    if right.length < 1e-6 { right = sight.cross(abs(sight.y) < 0.7 ? Vector3(0, 1, 0) : Vector3(0, 0, 1)) }
    right = right.normalized
    let above = right.cross(sight)
    return Matrix4(
      x: SIMD4(right.x, above.x, -sight.x, 0), y: SIMD4(right.y, above.y, -sight.y, 0),
      z: SIMD4(right.z, above.z, -sight.z, 0),
      origin: SIMD4(-right.dot(eye), -above.dot(eye), sight.dot(eye), 1))
  }

  /// Returns a matrix that translates every point by a vector.
  @inlinable
  public static func translation(_ way: Vector3) -> Matrix4 {
    Matrix4(x: identity.x, y: identity.y, z: identity.z, origin: SIMD4(way.simd, 1))
  }

  /// Returns a matrix that multiplies the coordinate on each axis by a factor.
  @inlinable
  public static func scale(_ factors: Vector3) -> Matrix4 {
    Matrix4(
      x: identity.x * factors.x, y: identity.y * factors.y, z: identity.z * factors.z, origin: identity.origin
    )
  }

  /// Returns a matrix that rotates about the origin, by a quaternion of length 1.
  @inlinable
  public static func rotation(_ rotation: Quaternion) -> Matrix4 {
    Matrix4(
      x: SIMD4(rotation.rotate(Vector3(1, 0, 0)).simd, 0),
      y: SIMD4(rotation.rotate(Vector3(0, 1, 0)).simd, 0),
      z: SIMD4(rotation.rotate(Vector3(0, 0, 1)).simd, 0), origin: identity.origin)
  }

  /// Clamps a value to `low` … `high`; NaN becomes `low`.
  @inlinable
  static func clamped(_ value: Float, _ low: Float, _ high: Float) -> Float {
    value > low ? min(value, high) : low
  }
}
