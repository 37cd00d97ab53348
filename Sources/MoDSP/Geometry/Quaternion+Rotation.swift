import Glibc

extension Quaternion {
  /// Returns the rotation by `right` first, then by `left`.
  @inlinable
  public static func * (left: Quaternion, right: Quaternion) -> Quaternion {
    Quaternion(
      w: left.w * right.w - left.axis.dot(right.axis),
      axis: left.w * right.axis + right.w * left.axis + left.axis.cross(right.axis))
  }

  /// The conjugate: the opposite rotation, if the length is 1.
  @inlinable
  public var conjugate: Quaternion { Quaternion(w: w, axis: -axis) }

  /// The length; rotations have length 1.
  @inlinable
  public var length: Float { (w * w + axis.lengthSquared).squareRoot() }

  /// The same rotation with length 1; the identity if all components are 0.
  ///
  /// Rounding errors change the length of a product of many rotations. Normalize such a product now and then.
  @inlinable
  public var normalized: Quaternion {
    let length = length
    guard length > 0, length.isFinite else { return .identity }
    return Quaternion(w: w / length, axis: axis * (1 / length))
  }

  /// Returns a vector rotated by this quaternion, which must have length 1; the vector's length stays the same.
  @inlinable
  public func rotate(_ vector: Vector3) -> Vector3 {
    let twice = 2 * axis.cross(vector)
    return vector + w * twice + axis.cross(twice)
  }

  /// The rotation's angle in radians, 0 … π, and its axis of length 1; without a rotation, the axis is the x axis.
  @inlinable
  public var angleAndAxis: (radians: Float, axis: Vector3) {
    let sine = axis.length
    guard sine > 0 else { return (0, Vector3(1, 0, 0)) }
    // A quaternion and its negative are the same rotation; this returns the smaller angle.
    return (2 * atan2f(sine, abs(w)), (w < 0 ? -axis : axis) * (1 / sine))
  }

  /// Returns a rotation between this rotation (`part` 0) and `other` (`part` 1), on the shorter way, at constant speed.
  @inlinable
  public func mixed(with other: Quaternion, part: Float) -> Quaternion {
    var cosine = w * other.w + axis.dot(other.axis)
    let near = cosine < 0 ? Quaternion(w: -other.w, axis: -other.axis) : other
    cosine = min(1, abs(cosine))
    let angle = acosf(cosine)
    // If both are nearly equal, a straight line is as good and does not divide by zero.
    let here = angle < 1e-3 ? 1 - part : sinf((1 - part) * angle) / sinf(angle)
    let there = angle < 1e-3 ? part : sinf(part * angle) / sinf(angle)
    return Quaternion(w: here * w + there * near.w, axis: here * axis + there * near.axis).normalized
  }
}
