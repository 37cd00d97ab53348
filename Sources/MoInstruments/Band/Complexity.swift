/// The complexity of a band's playing, derived from the players' activity.
///
/// The complexity changes at bar lines, by one level at most. The activity is rounded to multiples of 1/127, as in the
/// messages that members send. So machines that receive the same activity play the same notes.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct Complexity: Hashable, Sendable, BitwiseCopyable {
  /// The highest level of complexity: 5.
  @inlinable public static var highest: Int { 5 }

  /// The level, 1 … 5; at 5 every note of the pattern is played.
  public private(set) var level = 1
  /// The progress towards the next level, 0 … 127: with more progress, more notes of the next level are played.
  public private(set) var part = 0

  /// Creates the lowest complexity.
  public init() {}

  /// Creates the complexity for an activity, 0 … 1; NaN counts as 0.
  public init(_ activity: Float) {
    let whole = Complexity.whole(activity)
    level = min(Complexity.highest, 1 + whole / 26)
    part = level == Complexity.highest ? 127 : (whole % 26) * 127 / 26
  }

  /// Returns the complexity of the next bar for an activity, 0 … 1: at most one level above or below this complexity.
  public func next(_ activity: Float) -> Complexity {
    var wanted = Complexity(activity)
    if wanted.level > level + 1 { (wanted.level, wanted.part) = (level + 1, 0) }
    if wanted.level < level - 1 { (wanted.level, wanted.part) = (level - 1, 127) }
    return wanted
  }

  private static func whole(_ activity: Float) -> Int {
    activity.isNaN ? 0 : Int((max(0, min(activity, 1)) * 127).rounded())
  }
}
