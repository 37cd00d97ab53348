/// How loud sections are, and which are silent: set by who leads, the same for all.
///
/// A part of what all agree on, so that who may not conduct cannot set it, and who comes late has it. Sections are told by
/// a number of their name; if nothing is stated a section is as loud as it plays.
///
/// - Thread: any; a plain value.
public struct SectionLevels: Hashable, Sendable {
  /// What was stated of one section.
  struct Entry: Hashable, Sendable {
    /// The number of its name; never 0.
    var id: UInt64
    /// In hundredths, 0…100.
    var hundredths: UInt8 = 100
    var isMuted = false
  }

  /// Most sections of which something can be stated.
  public static let most = 16

  /// By their numbers.
  private(set) var entries: [Entry] = []

  /// Levels of which nothing was stated: every section as loud as it plays.
  public init() {}

  /// How loud a section is to be, 0…1, whether it is silent or not.
  public func level(_ section: String) -> Float { Float(entry(section).hundredths) / 100 }

  /// Whether a section is silent.
  public func isMuted(_ section: String) -> Bool { entry(section).isMuted }

  /// What is heard of a section, 0…1: 0 while it is silent.
  public func heard(_ section: String) -> Float { isMuted(section) ? 0 : level(section) }

  /// States how loud a section is, 0…1, in hundredths; no number counts as 0.
  ///
  /// False if too much would be stated.
  @discardableResult
  public mutating func set(_ level: Float, of section: String) -> Bool {
    var entry = entry(section)
    entry.hundredths = UInt8((level.within(0...1) * 100).rounded())
    return put(entry)
  }

  /// Silences a section, or lets it be heard.
  ///
  /// False if too much would be stated.
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

  /// Puts an entry into its place; one that states nothing is taken out.
  mutating func put(_ entry: Entry) -> Bool {
    var list = entries.filter { $0.id != entry.id }
    if entry != Entry(id: entry.id) {
      guard list.count < Self.most else { return false }
      list.insert(entry, at: list.firstIndex { entry.id < $0.id } ?? list.count)
    }
    entries = list
    return true
  }

  /// A section's number: of its name's bytes, as the digest of what is shared has them.
  static func number(of section: String) -> UInt64 { max(1, SharedStore.number(of: section)) }
}

extension SectionLevels.Entry {
  /// Level and silence in a number.
  var bits: Int32 { Int32(hundredths) | (isMuted ? 256 : 0) }

  /// An entry as it was sent; nil for one that cannot be.
  init?(id: UInt64, bits: Int32) {
    guard id != 0, bits & ~(256 | 127) == 0, bits & 127 <= 100 else { return nil }
    self.init(id: id, hundredths: UInt8(bits & 127), isMuted: bits & 256 != 0)
  }
}
