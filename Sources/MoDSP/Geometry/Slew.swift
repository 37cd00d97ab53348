import Glibc

/// A number on its way to another: it covers the same part of what is left in every second.
///
/// It draws the same curve however often, and however unevenly, it is asked:
///
/// ```swift
/// var level = Slew(0, within: 0.2)   // there, but for 5 %, in 0.2 s
/// level.goal = 1
/// level.advance(by: secondsSinceLastFrame)
/// ```
///
/// - Thread: one owner; it is a plain value.
/// - Real-time safe: yes.
@frozen
public struct Slew: Equatable, Sendable, BitwiseCopyable {
  /// Where it is.
  public var value: Float
  /// Where it is going.
  public var goal: Float
  /// Time constants a second: infinite for one that is there at once.
  @usableFromInline var rate: Float

  /// A number at rest at `value`.
  ///
  /// - Parameter slew: the part of the way covered in one second (or whatever unit `advance` is given), 0 … 1;
  ///   kept within that.
  @inlinable
  public init(_ value: Float, slew: Float = 0.5) {
    self.value = value
    goal = value
    rate = Slew.rate(slew)
  }

  /// A number at rest at `value` that has all but `margin` of any way behind it after so many seconds.
  ///
  /// - Parameters:
  ///   - seconds: 0 or less for one that is there at once.
  ///   - margin: what may be left, above 0 and below 1; anything else counts as 0.05.
  @inlinable
  public init(_ value: Float, within seconds: Float, margin: Float = 0.05) {
    self.value = value
    goal = value
    let part = margin > 0 && margin < 1 ? margin : 0.05
    rate = seconds > 0 ? -logf(part) / seconds : .infinity
  }

  /// The part of what is left that is covered in one second, 0 … 1: 0 stands still, 1 is there at once.
  @inlinable
  public var slew: Float {
    get { -expm1f(-rate) }
    set { rate = Slew.rate(newValue) }
  }

  /// Stands at `value` at once, and stays there.
  @inlinable
  public mutating func set(_ value: Float) { (self.value, goal) = (value, value) }

  /// Lets seconds pass with the goal where it is; a time below 0 counts as 0.
  @inlinable
  @discardableResult
  public mutating func advance(by seconds: Float) -> Float {
    value += (goal - value) * Slew.part(rate, seconds)
    return value
  }

  /// Lets seconds pass in which the goal went to `goal` in a straight line.
  ///
  /// Use this to follow readings of something that moves: the curve is the one that goes with the line through
  /// the readings, however many points it has.
  @inlinable
  @discardableResult
  public mutating func follow(_ goal: Float, by seconds: Float) -> Float {
    let turns = rate * max(0, seconds)
    if turns.isFinite {
      // First-order low-pass over a ramp, exactly; for short steps by its series, which does not cancel out.
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

  /// The part of the way covered in so many seconds.
  @inlinable
  static func part(_ rate: Float, _ seconds: Float) -> Float {
    seconds > 0 && rate > 0 ? -expm1f(-rate * seconds) : 0
  }
}
