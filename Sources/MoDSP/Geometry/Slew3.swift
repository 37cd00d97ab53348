/// A point that approaches a goal: three numbers of type `Slew`, for the three axes, that are updated together.
///
/// - Thread: one owner; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Slew3: Equatable, Sendable, BitwiseCopyable {
  /// The coordinate on the x axis, which moves gradually to its goal.
  public var x: Slew
  /// The coordinate on the y axis, which moves gradually to its goal.
  public var y: Slew
  /// The coordinate on the z axis, which moves gradually to its goal.
  public var z: Slew

  /// Creates a point at rest.
  ///
  /// - Parameters:
  ///   - value: the point at the start.
  ///   - slew: the fraction of the remaining way that the point covers in one second, 0 … 1. Set `x.slew`, `y.slew` or
  ///     `z.slew` for another fraction on an axis.
  @inlinable
  public init(_ value: Vector3, slew: Float = 0.5) {
    x = Slew(value.x, slew: slew)
    y = Slew(value.y, slew: slew)
    z = Slew(value.z, slew: slew)
  }

  /// Creates a point at rest that covers all but the fraction `margin` of the way to a goal in `seconds`.
  ///
  /// - Parameters:
  ///   - value: the point at the start.
  ///   - seconds: the time for the way; with 0 or less, the point reaches the goal immediately.
  ///   - margin: the fraction of the way that may remain, above 0 and below 1; any other value counts as 0.05.
  @inlinable
  public init(_ value: Vector3, within seconds: Float, margin: Float = 0.05) {
    x = Slew(value.x, within: seconds, margin: margin)
    y = Slew(value.y, within: seconds, margin: margin)
    z = Slew(value.z, within: seconds, margin: margin)
  }

  /// The present position of the point.
  @inlinable
  public var value: Vector3 { Vector3(x.value, y.value, z.value) }

  /// The position that the point approaches.
  @inlinable
  public var goal: Vector3 {
    get { Vector3(x.goal, y.goal, z.goal) }
    set { (x.goal, y.goal, z.goal) = (newValue.x, newValue.y, newValue.z) }
  }

  /// Sets the position and the goal to `value`, so that the point rests.
  @inlinable
  public mutating func set(_ value: Vector3) {
    x.set(value.x)
    y.set(value.y)
    z.set(value.z)
  }

  /// Lets `seconds` pass with a constant goal, and returns the new position; a time below 0 counts as 0.
  @inlinable
  @discardableResult
  public mutating func advance(by seconds: Float) -> Vector3 {
    Vector3(x.advance(by: seconds), y.advance(by: seconds), z.advance(by: seconds))
  }

  /// Lets `seconds` pass while the goal moves evenly to `goal`, and returns the new position.
  ///
  /// A time below 0 counts as 0.
  @inlinable
  @discardableResult
  public mutating func follow(_ goal: Vector3, by seconds: Float) -> Vector3 {
    Vector3(x.follow(goal.x, by: seconds), y.follow(goal.y, by: seconds), z.follow(goal.z, by: seconds))
  }
}
