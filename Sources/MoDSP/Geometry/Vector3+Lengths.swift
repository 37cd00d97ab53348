import Glibc

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

  /// Returns the point on the line to `other` at the fraction `part` of the way: 0 is this point, 1 is `other`.
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
