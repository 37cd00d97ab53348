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
