import MoTime

/// All that is shared, as far as it is known here: what a newcomer is told.
struct SharedStore: Sendable {
  private(set) var things: [String: [Int64: SharedCell]] = [:]
  private(set) var count = 0
  /// A number that is the same where all cells are; 0 where there are none.
  private(set) var digest: UInt64 = 0

  /// Most cells in all, which a newcomer is told in 32 datagrams, and most things.
  static let most = 1792
  static let mostThings = 32

  subscript(name: String, key: Int64) -> SharedCell {
    things[name]?[key] ?? SharedCell(word: 0)
  }

  /// Whether there is room for so many more cells.
  func hasRoom(for edits: SharedEdits) -> Bool {
    guard let thing = things[edits.name] else {
      return things.count < Self.mostThings && count + edits.edits.count <= Self.most
    }
    return count + edits.edits.count { thing[$0.key] == nil } <= Self.most
  }

  /// Takes in changes; those that changed anything.
  ///
  /// - Parameter isDecided: whether they stand even where neither wins over the other.
  mutating func merge(_ new: SharedEdits, isDecided: Bool = false) -> [SharedEdit] {
    var changed: [SharedEdit] = []
    for edit in new.edits {
      let old = self[new.name, edit.key]
      guard edit.cell.wins(over: old) || isDecided && edit.cell.count != 0 && !old.wins(over: edit.cell),
        edit.cell != old, hasRoom(for: SharedEdits(new.name, [edit]))
      else { continue }
      digest &-= Self.mark(new.name, edit.key, old)
      digest &+= Self.mark(new.name, edit.key, edit.cell)
      if old.count == 0 { count += 1 }
      things[new.name, default: [:]][edit.key] = edit.cell
      changed.append(edit)
    }
    return changed
  }

  /// All cells of a thing, by their keys.
  func edits(of name: String) -> [SharedEdit] {
    (things[name] ?? [:]).sorted { $0.key < $1.key }.map { SharedEdit(key: $0.key, cell: $0.value) }
  }

  /// All cells, in messages, the same wherever all cells are.
  var messages: [SharedEdits] {
    var list: [SharedEdits] = []
    for name in things.keys.sorted() { list += SharedEdits(name, edits(of: name)).parts }
    return list
  }

  /// A cell's part of the digest, whose parts are added up in any order: SplitMix64's mixing of what it is.
  private static func mark(_ name: String, _ key: Int64, _ cell: SharedCell) -> UInt64 {
    guard cell.count != 0 else { return 0 }
    return mix(mix(number(of: name) &+ UInt64(bitPattern: key)) &+ cell.word)
  }

  /// A number of a name's bytes, the same everywhere.
  static func number(of name: String) -> UInt64 {
    var mixed: UInt64 = 0
    for byte in name.utf8 { mixed = mix(mixed &+ UInt64(byte) &+ 1) }
    return mixed
  }

  private static func mix(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
