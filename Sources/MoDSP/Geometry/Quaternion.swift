import Glibc

/// A rotation in space as four numbers, w + xi + yj + zk.
///
/// Rotations follow the right-hand rule: a quarter turn about z takes x to y. The product `a * b` rotates by
/// `b` first, then by `a`.
///
/// - Source: K. Shoemake, *Animating rotation with quaternion curves*, SIGGRAPH (1985).
/// - Thread: any; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Quaternion: Equatable, Sendable, BitwiseCopyable {
  /// The real part: the cosine of half the rotation's angle.
  public var w: Float
  /// The axis of the rotation, with length 1, times the sine of half the rotation's angle.
  public var axis: Vector3

  /// Creates a quaternion from its four components.
  @inlinable
  public init(w: Float, x: Float, y: Float, z: Float) { self.init(w: w, axis: Vector3(x, y, z)) }

  @inlinable
  init(w: Float, axis: Vector3) {
    self.w = w
    self.axis = axis
  }

  /// The rotation that changes nothing.
  @inlinable
  public static var identity: Quaternion { Quaternion(w: 1, x: 0, y: 0, z: 0) }

  /// Creates the rotation by an angle about an axis of any length; the identity if the axis is zero.
  @inlinable
  public init(radians: Float, about axis: Vector3) {
    let unit = axis.normalized
    self = unit == .zero ? .identity : Quaternion(w: cosf(radians / 2), axis: unit * sinf(radians / 2))
  }

  /// Creates the rotation of an object that looks along −z with y up, from three angles.
  ///
  /// The object rolls about z, then pitches about x (nose up), then yaws about y (to the left).
  ///
  /// - Parameters:
  ///   - pitch: in radians; above 0 for nose up.
  ///   - yaw: in radians; above 0 for a turn to the left.
  ///   - roll: in radians, about z.
  @inlinable
  public init(pitch: Float, yaw: Float, roll: Float) {
    self =
      Quaternion(radians: yaw, about: Vector3(0, 1, 0)) * Quaternion(radians: pitch, about: Vector3(1, 0, 0))
      * Quaternion(radians: roll, about: Vector3(0, 0, 1))
  }

  /// Creates the shortest rotation that takes one direction to another.
  ///
  /// Opposite directions give half a turn about an axis at right angles to both. A zero vector gives the identity.
  @inlinable
  public init(from start: Vector3, to end: Vector3) {
    let (here, there) = (start.normalized, end.normalized)
    let cosine = here.dot(there)
    guard here != .zero, there != .zero else {
      self = .identity
      return
    }
    guard cosine < -0.999_999 else {
      self = Quaternion(w: 1 + cosine, axis: here.cross(there)).normalized
      return
    }
    let aside = abs(here.x) < 0.7 ? Vector3(1, 0, 0) : Vector3(0, 1, 0)
    self = Quaternion(w: 0, axis: here.cross(aside).normalized)
  }

  /// The x component of `axis`, the factor of i.
  @inlinable public var x: Float { axis.x }
  /// The y component of `axis`, the factor of j.
  @inlinable public var y: Float { axis.y }
  /// The z component of `axis`, the factor of k.
  @inlinable public var z: Float { axis.z }
}

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

  /// Returns a rotation between this rotation (`part` 0) and `other` (`part` 1), on the shorter arc, at constant speed.
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
