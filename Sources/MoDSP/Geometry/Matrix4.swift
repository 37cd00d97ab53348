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
