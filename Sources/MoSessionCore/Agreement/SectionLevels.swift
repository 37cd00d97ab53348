/// The levels and mutes of sections, which the conductor sets for all members.
///
/// The levels and mutes are part of the agreed state (`SessionState`). So a member that may not conduct cannot set
/// them, and a member that joins late receives them. The hash of a section's name identifies the section. A section
/// without an entry has level 1.
///
/// - Thread: any; a plain value.
public struct SectionLevels: Hashable, Sendable {
  /// The settings of one section.
  struct Entry: Hashable, Sendable {
    /// The hash of the section's name (`SectionLevels.number(of:)`); never 0.
    var id: UInt64
    /// The level in hundredths, 0…100.
    var hundredths: UInt8 = 100
    var isMuted = false
  }

  /// The largest number of sections that can have a level below 1 or be muted.
  public static let most = 16

  /// The entries, sorted by the sections' numbers (`Entry.id`).
  private(set) var entries: [Entry] = []

  /// Creates levels in which every section has level 1, and no section is muted.
  public init() {}

  /// Returns the level of a section, 0…1.
  ///
  /// A mute does not change the result; see `heard`.
  public func level(_ section: String) -> Float { Float(entry(section).hundredths) / 100 }

  /// Returns whether a section is muted.
  public func isMuted(_ section: String) -> Bool { entry(section).isMuted }

  /// Returns the audible level of a section, 0…1: 0 while the section is muted.
  public func heard(_ section: String) -> Float { isMuted(section) ? 0 : level(section) }

  /// Sets the level of a section, 0…1, rounded to hundredths; NaN counts as 0.
  ///
  /// - Returns: false if `most` other sections have a level below 1 or are muted.
  @discardableResult
  public mutating func set(_ level: Float, of section: String) -> Bool {
    var entry = entry(section)
    entry.hundredths = UInt8((level.within(0...1) * 100).rounded())
    return put(entry)
  }

  /// Mutes or unmutes a section.
  ///
  /// - Returns: false if `most` other sections have a level below 1 or are muted.
  @discardableResult
  public mutating func setMuted(_ isMuted: Bool, _ section: String) -> Bool {
    var entry = entry(section)
    entry.isMuted = isMuted
    return put(entry)
  }

  private func entry(_ section: String) -> Entry {
    let id = Self.number(of: section)
    return entries.first { $0.id == id } ?? Entry(id: id)
  }

  /// Inserts or replaces an entry in the sorted list; returns false if there are already `most` other entries.
  ///
  /// An entry with default values is removed.
  mutating func put(_ entry: Entry) -> Bool {
    var list = entries.filter { $0.id != entry.id }
    if entry != Entry(id: entry.id) {
      guard list.count < Self.most else { return false }
      list.insert(entry, at: list.firstIndex { entry.id < $0.id } ?? list.count)
    }
    entries = list
    return true
  }

  /// Returns a section's number: the hash of its name, by the same function as in the digest of shared data; never 0.
  static func number(of section: String) -> UInt64 { max(1, SharedStore.number(of: section)) }
}

extension SectionLevels.Entry {
  /// The wire format: the level in hundredths, plus 256 if the section is muted.
  var bits: Int32 { Int32(hundredths) | (isMuted ? 256 : 0) }

  /// Decodes an entry; nil for an invalid one.
  init?(id: UInt64, bits: Int32) {
    guard id != 0, bits & ~(256 | 127) == 0, bits & 127 <= 100 else { return nil }
    self.init(id: id, hundredths: UInt8(bits & 127), isMuted: bits & 256 != 0)
  }
}
