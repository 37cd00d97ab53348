import MoCore

/// An entry of a `RecentTable`.
protocol RecentEntry: Sendable {
  /// The part of the hash by which the table finds the entry (`RecentTable.tag`); 0 for an empty entry.
  var tag: UInt32 { get }
  /// The time of the entry's last use; see `CoarseTime`.
  var time: UInt32 { get }

  init()
}

/// A hash table of fixed size: each hash has four possible places, and a new entry replaces the oldest of four entries.
///
/// The table is for data from strangers: its memory and its time per access are bounded, whatever strangers send. The
/// memory is allocated at the first entry.
struct RecentTable<Entry: RecentEntry>: Sendable {
  private var entries: [Entry] = []

  private static var size: Int { 1 << 16 }
  private static var ways: Int { 4 }

  /// Returns the part of a hash that an entry stores: the upper 32 bits, but at least 2, since 0 means an empty entry.
  static func tag(_ hash: UInt64) -> UInt32 { max(2, UInt32(truncatingIfNeeded: hash >> 32)) }

  /// The entry of a hash; nil if none was stored, or if another entry has replaced the entry.
  subscript(hash: UInt64) -> Entry? {
    get { place(hash).map { entries[$0] } }
    set {
      guard let newValue else { return }
      if entries.isEmpty { entries = Array(repeating: Entry(), count: Self.size) }
      entries[place(hash) ?? oldest(hash, at: newValue.time)] = newValue
    }
  }

  /// Returns the entry that a new entry with this hash would replace; nil if the table has no entries yet.
  func replaced(by hash: UInt64, at time: UInt32) -> Entry? {
    entries.isEmpty ? nil : entries[oldest(hash, at: time)]
  }

  private static func first(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash) & (size - 1) & ~(ways - 1)
  }

  private func place(_ hash: UInt64) -> Int? {
    guard !entries.isEmpty else { return nil }
    let (first, tag) = (Self.first(hash), Self.tag(hash))
    for place in first..<first + Self.ways where entries[place].tag == tag { return place }
    return nil
  }

  private func oldest(_ hash: UInt64, at time: UInt32) -> Int {
    let first = Self.first(hash)
    var (oldest, age) = (first, UInt32(0))
    for place in first..<first + Self.ways {
      if entries[place].tag == 0 { return place }
      let other = time &- entries[place].time
      if other > age { (oldest, age) = (place, other) }
    }
    return oldest
  }
}

/// Times in units of 2^24 ns (17 ms), in 32 bits: they wrap around after two years.
enum CoarseTime {
  static func ticks(_ time: HostTime) -> UInt32 { UInt32(truncatingIfNeeded: time.nanoseconds >> 24) }

  static func seconds(from earlier: UInt32, to later: UInt32) -> Double {
    Double(later &- earlier) * Double(1 << 24) * 1e-9
  }
}
