/// A 4 × 4 matrix that moves points in space: what a shader calls `mat4`.
///
/// Vectors are columns, so `a * b` does `b` first; `elements` are in the order OpenGL wants them, column by
/// column.
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Matrix4: Equatable, Sendable, BitwiseCopyable {
  /// Where the x axis goes, with 0 below.
  public var x: SIMD4<Float>
  /// Where the y axis goes, with 0 below.
  public var y: SIMD4<Float>
  /// Where the z axis goes, with 0 below.
  public var z: SIMD4<Float>
  /// Where the origin goes, with 1 below.
  public var origin: SIMD4<Float>

  /// A matrix of its four columns.
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
    precondition(row >= 0 && row < 4 && column >= 0 && column < 4, "a matrix has rows and columns 0 to 3")
    return switch column {
    case 0: x[row]
    case 1: y[row]
    case 2: z[row]
    default: origin[row]
    }
  }

  /// The vector, multiplied: four numbers as a shader has them.
  @inlinable
  public static func * (matrix: Matrix4, vector: SIMD4<Float>) -> SIMD4<Float> {
    matrix.x * vector.x + matrix.y * vector.y + matrix.z * vector.z + matrix.origin * vector.w
  }

  /// What does `right` first, then `left`.
  @inlinable
  public static func * (left: Matrix4, right: Matrix4) -> Matrix4 {
    Matrix4(x: left * right.x, y: left * right.y, z: left * right.z, origin: left * right.origin)
  }

  /// Where a point comes to, with the division that makes distant things small.
  ///
  /// A point in the plane of the eye has no image; its components are infinite or not numbers.
  @inlinable
  public func transform(point: Vector3) -> Vector3 {
    let moved = self * SIMD4(point.simd, 1)
    return Vector3(SIMD3(moved.x, moved.y, moved.z) / moved.w)
  }

  /// Where a direction comes to: turned and scaled, but not moved.
  @inlinable
  public func transform(direction: Vector3) -> Vector3 {
    let moved = self * SIMD4(direction.simd, 0)
    return Vector3(moved.x, moved.y, moved.z)
  }

  /// Rows and columns exchanged.
  @inlinable
  public var transposed: Matrix4 {
    Matrix4(
      x: SIMD4(x.x, y.x, z.x, origin.x), y: SIMD4(x.y, y.y, z.y, origin.y),
      z: SIMD4(x.z, y.z, z.z, origin.z), origin: SIMD4(x.w, y.w, z.w, origin.w))
  }
}
