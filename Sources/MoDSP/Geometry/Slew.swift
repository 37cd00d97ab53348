import Glibc

/// A number that approaches a goal: it covers the same fraction of the remaining distance in every second.
///
/// The movement does not depend on how often, or how unevenly, you update the number:
///
/// ```swift
/// var level = Slew(0, within: 0.2)  // covers 95 % of the distance in 0.2 s
/// level.goal = 1
/// level.advance(by: 1.0 / 60)  // for each of 60 pictures per second
/// ```
///
/// - Thread: one owner; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Slew: Equatable, Sendable, BitwiseCopyable {
  /// The present value.
  public var value: Float
  /// The value to approach.
  public var goal: Float
  /// The reciprocal of the time constant, in 1/s; infinite to reach the goal immediately.
  @usableFromInline var rate: Float

  /// Creates a number at rest at `value`.
  ///
  /// - Parameters:
  ///   - value: the number at the start.
  ///   - slew: the fraction of the remaining distance that the number covers in one second, clamped to 0 … 1. If you
  ///     pass times in another unit to `advance`, `slew` is the fraction that the number covers in one of these units.
  @inlinable
  public init(_ value: Float, slew: Float = 0.5) {
    self.value = value
    goal = value
    rate = Slew.rate(slew)
  }

  /// Creates a number at rest that covers the distance to a goal in `seconds`, except for the fraction `margin`.
  ///
  /// - Parameters:
  ///   - value: the number at the start.
  ///   - seconds: the time for this distance; with 0 or less, the number reaches the goal immediately.
  ///   - margin: the fraction of the distance that may remain, above 0 and below 1; any other value counts as 0.05.
  @inlinable
  public init(_ value: Float, within seconds: Float, margin: Float = 0.05) {
    self.value = value
    goal = value
    let part = margin > 0 && margin < 1 ? margin : 0.05
    rate = seconds > 0 ? -logf(part) / seconds : .infinity
  }

  /// The fraction of the remaining distance that the number covers in one second.
  ///
  /// With 0, the number never moves; with 1, it reaches the goal immediately.
  @inlinable
  public var slew: Float {
    get { -expm1f(-rate) }
    set { rate = Slew.rate(newValue) }
  }

  /// Sets the value and the goal to `value`, so that the number rests.
  @inlinable
  public mutating func set(_ value: Float) { (self.value, goal) = (value, value) }

  /// Lets `seconds` pass with a constant goal, and returns the new value.
  ///
  /// A time below 0 counts as 0. While the goal is NaN or infinite, the value stays.
  @inlinable
  @discardableResult
  public mutating func advance(by seconds: Float) -> Float {
    guard abs(goal) < .infinity else { return value }
    value += (goal - value) * Slew.part(rate, seconds)
    return value
  }

  /// Lets `seconds` pass while the goal moves evenly to `goal`, and returns the new value.
  ///
  /// Use `follow` for the readings of a sensor: the value then does not depend on the number of readings per second. A
  /// time below 0 counts as 0. A goal that is NaN or infinite changes nothing.
  @inlinable
  @discardableResult
  public mutating func follow(_ goal: Float, by seconds: Float) -> Float {
    guard abs(goal) < .infinity else { return value }
    let turns = rate * max(0, seconds)
    if turns.isFinite {
      // First-order low-pass over a ramp, exactly; short steps use its series, which does not cancel out.
      let lag = turns < 1e-2 ? turns / 2 - turns * turns / 6 : 1 + expm1f(-turns) / turns
      value += (self.goal - value) * -expm1f(-turns) + (goal - self.goal) * lag
    } else if seconds > 0 {
      value = goal
    }
    self.goal = goal
    return value
  }

  @inlinable
  static func rate(_ slew: Float) -> Float { slew > 0 ? -log1pf(-min(1, slew)) : 0 }

  /// Returns the fraction of the remaining distance that a number with the rate `rate`, in 1/s, covers in `seconds`.
  @inlinable
  static func part(_ rate: Float, _ seconds: Float) -> Float {
    seconds > 0 && rate > 0 ? -expm1f(-rate * seconds) : 0
  }
}

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
  ///   - slew: the fraction of the remaining distance that the point covers in one second, 0 … 1. Set `x.slew`,
  ///     `y.slew` or `z.slew` for another fraction on an axis.
  @inlinable
  public init(_ value: Vector3, slew: Float = 0.5) {
    x = Slew(value.x, slew: slew)
    y = Slew(value.y, slew: slew)
    z = Slew(value.z, slew: slew)
  }

  /// Creates a point at rest that covers the distance to a goal in `seconds`, except for the fraction `margin`.
  ///
  /// - Parameters:
  ///   - value: the point at the start.
  ///   - seconds: the time for this distance; with 0 or less, the point reaches the goal immediately.
  ///   - margin: the fraction of the distance that may remain, above 0 and below 1; any other value counts as 0.05.
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
