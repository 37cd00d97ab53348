/// How much is played, from how much everybody moves: a level that changes at bar lines, a step at a time.
///
/// The activity is kept in 128 steps, as it is sent: machines that were told the same number play the same.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct Complexity: Hashable, Sendable, BitwiseCopyable {
  /// The most that is played.
  @inlinable public static var highest: Int { 5 }

  /// 1 … 5: what is always played, and all there is.
  public private(set) var level = 1
  /// How near the next level is, 0 … 127: some of its strokes are played.
  public private(set) var part = 0

  /// The least complexity.
  public init() {}

  /// That of an activity 0 … 1; no number counts as 0.
  public init(_ activity: Float) {
    let whole = Complexity.whole(activity)
    level = min(Complexity.highest, 1 + whole / 26)
    part = level == Complexity.highest ? 127 : (whole % 26) * 127 / 26
  }

  /// That of the next bar: a level higher or lower at most.
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
