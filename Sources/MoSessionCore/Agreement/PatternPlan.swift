/// The levels of the pattern, bar by bar, as the conductor announces them.
///
/// A level tells how much of a pattern sounds in a bar. The conductor announces each level some bars ahead, so that
/// all members play the same.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct PatternPlan: Hashable, Sendable, BitwiseCopyable {
  /// The level of the pattern from a bar on.
  @frozen
  public struct Entry: Hashable, Sendable, BitwiseCopyable {
    /// The first bar in which the level applies.
    public var bar: Int32
    /// The level, 1…5: at 1, only the permanent part of the pattern sounds; at 5, the full pattern sounds.
    public var level: Int32
    /// The activity of all members together, 0…1, in steps of 1/127.
    public var total: Float

    /// Creates an entry from its parts.
    @inlinable
    public init(bar: Int32, level: Int32, total: Float) {
      (self.bar, self.level, self.total) = (bar, level, total)
    }
  }

  /// The largest number of entries in a plan.
  public static let most = 8
  /// The highest level of a pattern: the full pattern sounds.
  public static let highest: Int32 = 5

  /// The number of entries in the plan, 0…8.
  public private(set) var count = 0
  // Unused places are 0, so that plans with equal entries are equal.
  private var bars = SIMD8<Int32>(repeating: 0)
  private var levels = SIMD8<Int32>(repeating: 0)
  private var totals = SIMD8<Float>(repeating: 0)

  /// Creates a plan without entries: in every bar, only the permanent part of the pattern sounds (level 1).
  public init() {}

  /// Returns the entry at an index, 0 ..< `count`; the entries are sorted by bar.
  public subscript(place: Int) -> Entry {
    Entry(bar: bars[place], level: levels[place], total: totals[place])
  }

  /// Returns the entry that applies in a bar.
  public func entry(inBar bar: Int) -> Entry {
    var found = Entry(bar: .min, level: 1, total: 0)
    for place in 0..<count where Int(bars[place]) <= bar { found = self[place] }
    return found
  }

  /// The last entry of the plan: it applies from its bar on, without an end.
  public var last: Entry { entry(inBar: .max) }

  /// Returns a plan with a single entry for all bars: the entry of this plan that applies in the bar `bar`.
  func constant(inBar bar: Int) -> PatternPlan {
    var plan = PatternPlan()
    let entry = entry(inBar: bar)
    _ = plan.add(Entry(bar: .min, level: entry.level, total: entry.total))
    return plan
  }

  /// Appends an entry; returns false if the plan is full, or if the entry's bar is not after all other bars.
  package mutating func add(_ entry: Entry) -> Bool {
    guard count < Self.most, count == 0 || entry.bar > bars[count - 1] else { return false }
    (bars[count], levels[count], totals[count]) = (entry.bar, entry.level, entry.total)
    count += 1
    return true
  }

  /// Removes the entries that apply only before the bar `bar`.
  mutating func forget(before bar: Int) {
    var kept = PatternPlan()
    for place in 0..<count where place + 1 == count || Int(bars[place + 1]) > bar {
      _ = kept.add(self[place])
    }
    self = kept
  }

  /// Returns the level, 1…5, for the activity of all members together, 0…1.
  ///
  /// The result differs by at most 1 from the previous level `level`.
  static func level(for total: Float, after level: Int32) -> Int32 {
    let wanted = min(highest, 1 + Int32((total * 127).rounded()) / 26)
    return max(level - 1, min(wanted, level + 1))
  }
}
