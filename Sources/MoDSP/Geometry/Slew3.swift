/// A point on its way to another: three slewed numbers that are told to go together.
///
/// - Thread: one owner; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Slew3: Equatable, Sendable, BitwiseCopyable {
  /// Along the x axis.
  public var x: Slew
  /// Along the y axis.
  public var y: Slew
  /// Along the z axis.
  public var z: Slew

  /// A point at rest.
  ///
  /// - Parameter slew: the part of the way covered in one second, 0 … 1; each axis may get one of its own.
  @inlinable
  public init(_ value: Vector3, slew: Float = 0.5) {
    x = Slew(value.x, slew: slew)
    y = Slew(value.y, slew: slew)
    z = Slew(value.z, slew: slew)
  }

  /// A point at rest that has all but `margin` of any way behind it after so many seconds.
  @inlinable
  public init(_ value: Vector3, within seconds: Float, margin: Float = 0.05) {
    x = Slew(value.x, within: seconds, margin: margin)
    y = Slew(value.y, within: seconds, margin: margin)
    z = Slew(value.z, within: seconds, margin: margin)
  }

  /// Where it is.
  @inlinable
  public var value: Vector3 { Vector3(x.value, y.value, z.value) }

  /// Where it is going.
  @inlinable
  public var goal: Vector3 {
    get { Vector3(x.goal, y.goal, z.goal) }
    set { (x.goal, y.goal, z.goal) = (newValue.x, newValue.y, newValue.z) }
  }

  /// Stands at `value` at once, and stays there.
  @inlinable
  public mutating func set(_ value: Vector3) {
    x.set(value.x)
    y.set(value.y)
    z.set(value.z)
  }

  /// Lets seconds pass with the goal where it is.
  @inlinable
  @discardableResult
  public mutating func advance(by seconds: Float) -> Vector3 {
    Vector3(x.advance(by: seconds), y.advance(by: seconds), z.advance(by: seconds))
  }

  /// Lets seconds pass in which the goal went to `goal` in a straight line.
  @inlinable
  @discardableResult
  public mutating func follow(_ goal: Vector3, by seconds: Float) -> Vector3 {
    Vector3(x.follow(goal.x, by: seconds), y.follow(goal.y, by: seconds), z.follow(goal.z, by: seconds))
  }
}
