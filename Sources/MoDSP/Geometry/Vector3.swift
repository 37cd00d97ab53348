import Glibc

/// Three numbers, such as a point, a direction or an acceleration.
///
/// ```swift
/// let up = Vector3(0, 1, 0)
/// let right = up.cross(Vector3(0, 0, -1))
/// ```
///
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Vector3: Equatable, Sendable, BitwiseCopyable, CustomStringConvertible {
  /// The three numbers as a SIMD vector.
  public var simd: SIMD3<Float>

  /// Creates a vector from its three components.
  @inlinable
  public init(_ x: Float, _ y: Float, _ z: Float) { simd = SIMD3(x, y, z) }

  /// Creates a vector from a SIMD vector.
  @inlinable
  public init(_ simd: SIMD3<Float>) { self.simd = simd }

  /// Creates a vector in the plane z = 0 from its length and its angle from the x axis to the y axis.
  ///
  /// - Parameters:
  ///   - length: the length of the vector.
  ///   - radians: the angle; 0 is along x, π/2 along y.
  @inlinable
  public init(length: Float, radians: Float) { self.init(length * cosf(radians), length * sinf(radians), 0) }

  /// The vector (0, 0, 0).
  @inlinable
  public static var zero: Vector3 { Vector3(.zero) }

  /// The first component.
  @inlinable
  public var x: Float {
    get { simd.x }
    set { simd.x = newValue }
  }

  /// The second component.
  @inlinable
  public var y: Float {
    get { simd.y }
    set { simd.y = newValue }
  }

  /// The third component.
  @inlinable
  public var z: Float {
    get { simd.z }
    set { simd.z = newValue }
  }

  /// The vector as text, such as `(1.0, 2.0, 3.0)`.
  public var description: String { "(\(x), \(y), \(z))" }

  /// Returns the sum of two vectors, component by component.
  @inlinable
  public static func + (left: Vector3, right: Vector3) -> Vector3 { Vector3(left.simd + right.simd) }

  /// Returns the difference of two vectors, component by component.
  @inlinable
  public static func - (left: Vector3, right: Vector3) -> Vector3 { Vector3(left.simd - right.simd) }

  /// Returns the opposite vector.
  @inlinable
  public static prefix func - (vector: Vector3) -> Vector3 { Vector3(-vector.simd) }

  /// Returns the vector with each component multiplied by `factor`.
  @inlinable
  public static func * (vector: Vector3, factor: Float) -> Vector3 { Vector3(vector.simd * factor) }

  /// Returns the vector with each component multiplied by `factor`.
  @inlinable
  public static func * (factor: Float, vector: Vector3) -> Vector3 { Vector3(vector.simd * factor) }

  /// Adds `right` to `left`, component by component.
  @inlinable
  public static func += (left: inout Vector3, right: Vector3) { left.simd += right.simd }

  /// Subtracts `right` from `left`, component by component.
  @inlinable
  public static func -= (left: inout Vector3, right: Vector3) { left.simd -= right.simd }

  /// Multiplies each component of the vector by `factor`.
  @inlinable
  public static func *= (vector: inout Vector3, factor: Float) { vector.simd *= factor }
}

extension Vector3 {
  /// Returns the dot product: the sum of the products of the components; 0 if the vectors are at right angles.
  @inlinable
  public func dot(_ other: Vector3) -> Float { (simd * other.simd).sum() }

  /// Returns the cross product: a vector at right angles to both vectors, by the right-hand rule (x cross y is z).
  @inlinable
  public func cross(_ other: Vector3) -> Vector3 {
    Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The square of the length.
  @inlinable
  public var lengthSquared: Float { dot(self) }

  /// The length, without overflow or underflow in its computation, for any finite components.
  @inlinable
  public var length: Float {
    let square = lengthSquared
    if square > 1e-30, square.isFinite { return square.squareRoot() }
    let largest = max(abs(x), abs(y), abs(z))
    guard largest > 0, largest.isFinite else { return largest }
    let part = simd / largest
    return largest * (part * part).sum().squareRoot()
  }

  /// The same direction with length 1; a vector of zeros stays as it is.
  @inlinable
  public var normalized: Vector3 {
    let largest = max(abs(x), abs(y), abs(z))
    guard largest > 0, largest.isFinite else { return self }
    let part = simd / largest
    return Vector3(part / (part * part).sum().squareRoot())
  }

  /// The angle of the vector's projection onto the xy plane, from the x axis to the y axis, in radians, −π … π.
  @inlinable
  public var angleXY: Float { atan2f(y, x) }

  /// The angle of the vector's projection onto the yz plane, from the y axis to the z axis, in radians, −π … π.
  @inlinable
  public var angleYZ: Float { atan2f(z, y) }

  /// The angle of the vector's projection onto the xz plane, from the x axis to the z axis, in radians, −π … π.
  @inlinable
  public var angleXZ: Float { atan2f(z, x) }

  /// Returns the angle to another vector, in radians, 0 … π.
  ///
  /// The result is exact for small angles too. If either vector is zero, the result is 0.
  @inlinable
  public func angle(to other: Vector3) -> Float {
    let (here, there) = (normalized, other.normalized)
    return atan2f(here.cross(there).length, here.dot(there))
  }

  /// Returns the point on the line to `other` at the fraction `part` of the distance: 0 is this point, 1 is `other`.
  @inlinable
  public func mixed(with other: Vector3, part: Float) -> Vector3 { self + (other - self) * part }

  /// Returns the point on the line through `start` and `end` that is nearest to this point.
  ///
  /// - Returns: the point and its position on the line, 0 at `start` and 1 at `end`; nil if `start` and `end` are
  ///   equal. With a position of 0 … 1, the point is between `start` and `end`.
  @inlinable
  public func projected(from start: Vector3, to end: Vector3) -> (point: Vector3, part: Float)? {
    let line = end - start
    let square = line.lengthSquared
    guard square > 0, square.isFinite else { return nil }
    let part = (self - start).dot(line) / square
    return (start + line * part, part)
  }

  /// Returns whether this point is in a triangle, seen along the z axis; the edges belong to the triangle.
  ///
  /// A triangle whose corners are on one line contains no point.
  @inlinable
  public func isInTriangleXY(_ a: Vector3, _ b: Vector3, _ c: Vector3) -> Bool {
    func turn(_ from: Vector3, _ to: Vector3, _ point: Vector3) -> Float {
      (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x)
    }
    guard turn(a, b, c) != 0 else { return false }
    let turns = SIMD3(turn(a, b, self), turn(b, c, self), turn(c, a, self))
    return turns.min() >= 0 || turns.max() <= 0
  }
}
