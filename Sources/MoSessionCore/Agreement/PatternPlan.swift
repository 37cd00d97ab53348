/// How much is played in which bar, as who conducts has announced it: bars ahead, so that all play the same.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct PatternPlan: Hashable, Sendable, BitwiseCopyable {
  /// From a bar on.
  @frozen
  public struct Entry: Hashable, Sendable, BitwiseCopyable {
    /// The first bar.
    public var bar: Int32
    /// 1…5: what is always played, and all there is.
    public var level: Int32
    /// How much all move together, 0…1, in steps of 1/127.
    public var total: Float

    /// An entry from its parts.
    @inlinable
    public init(bar: Int32, level: Int32, total: Float) {
      (self.bar, self.level, self.total) = (bar, level, total)
    }
  }

  /// Most that are announced at once.
  public static let most = 8
  /// The highest level.
  public static let highest: Int32 = 5

  /// How many entries there are, 0…8.
  public private(set) var count = 0
  // Places that are not used are 0, so that plans are equal whose entries are.
  private var bars = SIMD8<Int32>(repeating: 0)
  private var levels = SIMD8<Int32>(repeating: 0)
  private var totals = SIMD8<Float>(repeating: 0)

  /// A plan in which nothing is announced: the lowest level in every bar.
  public init() {}

  /// The entries by their bars.
  public subscript(place: Int) -> Entry {
    Entry(bar: bars[place], level: levels[place], total: totals[place])
  }

  /// What holds in a bar.
  public func entry(inBar bar: Int) -> Entry {
    var found = Entry(bar: .min, level: 1, total: 0)
    for place in 0..<count where Int(bars[place]) <= bar { found = self[place] }
    return found
  }

  /// What holds after all that was announced.
  public var last: Entry { entry(inBar: .max) }

  /// What holds in a bar, and from then on in all.
  func standing(inBar bar: Int) -> PatternPlan {
    var plan = PatternPlan()
    let entry = entry(inBar: bar)
    _ = plan.add(Entry(bar: .min, level: entry.level, total: entry.total))
    return plan
  }

  /// Adds an entry after all others; false if there is no room, or it is not after them.
  mutating func add(_ entry: Entry) -> Bool {
    guard count < Self.most, count == 0 || entry.bar > bars[count - 1] else { return false }
    (bars[count], levels[count], totals[count]) = (entry.bar, entry.level, entry.total)
    count += 1
    return true
  }

  /// Removes what no longer holds in a bar or after it.
  mutating func forget(before bar: Int) {
    var kept = PatternPlan()
    for place in 0..<count where place + 1 == count || Int(bars[place + 1]) > bar {
      _ = kept.add(self[place])
    }
    self = kept
  }

  /// The level that goes with a total, a step at most from the one before.
  static func level(for total: Float, after level: Int32) -> Int32 {
    let wanted = min(highest, 1 + Int32((total * 127).rounded()) / 26)
    return max(level - 1, min(wanted, level + 1))
  }
}
