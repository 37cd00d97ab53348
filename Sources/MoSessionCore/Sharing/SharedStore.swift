import MoCore

/// All shared data of the room that this member knows, and sends to a newcomer that asks for them.
package struct SharedStore: Sendable {
  package private(set) var things: [String: [Int64: SharedCell]] = [:]
  package private(set) var count = 0
  /// A hash of all cells, the same on all members with the same cells; 0 without cells.
  package private(set) var digest: UInt64 = 0

  /// For each thing, the installations that changed the thing, and the last time at which any of them was here.
  private var uses: [String: (writers: Set<MemberID>, at: HostTime)] = [:]
  /// The hashes of dropped cells; a dropped cell is not stored again if another member still sends it.
  private var dropped: Set<UInt64> = []

  package init() {}

  /// Seconds for which all members that have changed a thing must be away before the thing may be dropped to make room
  /// for other things.
  static let memory = 3600.0
  private static let mostWriters = 16
  private static let mostDropped = 8 * most

  /// The largest number of cells in all things together, which a newcomer receives in 32 datagrams.
  static let most = 1792
  /// The largest number of things.
  static let mostThings = 32

  package subscript(name: String, key: Int64) -> SharedCell {
    things[name]?[key] ?? SharedCell(word: 0)
  }

  /// Returns whether there is room for the new cells of some changes.
  func hasSpace(for edits: SharedEdits) -> Bool {
    guard let thing = things[edits.name] else {
      return things.count < Self.mostThings && count + edits.edits.count <= Self.most
    }
    return count + edits.edits.count { thing[$0.key] == nil } <= Self.most
  }

  /// Merges changes into the shared data; returns the changes that had an effect.
  ///
  /// - Parameter isDecided: whether the new value of a cell applies if neither value has precedence. This is true for
  ///   changes that the keeper sends.
  package mutating func merge(_ new: SharedEdits, isDecided: Bool = false) -> [SharedEdit] {
    var changed: [SharedEdit] = []
    for edit in new.edits {
      let old = self[new.name, edit.key]
      guard dropped.isEmpty || !dropped.contains(Self.cellHash(new.name, edit.key, edit.cell)) else {
        continue
      }
      guard edit.cell.wins(over: old) || isDecided && edit.cell.count != 0 && !old.wins(over: edit.cell),
        edit.cell != old, hasSpace(for: SharedEdits(new.name, [edit]))
      else { continue }
      digest &-= Self.cellHash(new.name, edit.key, old)
      digest &+= Self.cellHash(new.name, edit.key, edit.cell)
      if old.count == 0 { count += 1 }
      things[new.name, default: [:]][edit.key] = edit.cell
      changed.append(edit)
    }
    return changed
  }

  /// Stores that an installation has changed a thing at `now`.
  mutating func recordUse(_ writer: MemberID, of name: String, at now: HostTime) {
    var use = uses[name] ?? ([], now)
    if use.writers.count < Self.mostWriters { use.writers.insert(writer) }
    use.at = now
    uses[name] = use
  }

  /// Sets the time of the last use to `now` for all things that an installation of `here` has changed.
  mutating func renewUses(here: Set<MemberID>, at now: HostTime) {
    for (name, use) in uses where !use.writers.isDisjoint(with: here) { uses[name]?.at = now }
  }

  /// Drops things whose writers have been away for an hour, the longest unused first, until there is room.
  mutating func freeSpace(for edits: SharedEdits, at now: HostTime) {
    while !hasSpace(for: edits) {
      let unused = things.keys.filter { name in
        name != edits.name && uses[name].map { now.seconds(since: $0.at) >= Self.memory } ?? false
      }
      guard let name = unused.min(by: { (uses[$0]?.at ?? now, $0) < (uses[$1]?.at ?? now, $1) }) else {
        return
      }
      if dropped.count > Self.mostDropped { dropped = [] }
      for (key, cell) in things[name] ?? [:] {
        let cellHash = Self.cellHash(name, key, cell)
        digest &-= cellHash
        dropped.insert(cellHash)
        count -= 1
      }
      (things[name], uses[name]) = (nil, nil)
    }
  }

  /// Shifts all times by a step of this machine's clock.
  package mutating func shift(by nanoseconds: Int64) {
    uses = uses.mapValues { ($0.writers, $0.at.shifted(by: nanoseconds)) }
  }

  /// Returns all cells of a thing, sorted by key.
  package func edits(of name: String) -> [SharedEdit] {
    (things[name] ?? [:]).sorted { $0.key < $1.key }.map { SharedEdit(key: $0.key, cell: $0.value) }
  }

  /// All cells, in messages that are the same on all members with the same cells.
  var messages: [SharedEdits] {
    var list: [SharedEdits] = []
    for name in things.keys.sorted() { list += SharedEdits(name, edits(of: name)).parts }
    return list
  }

  /// Returns a cell's part of the digest, mixed as in SplitMix64; the digest is the sum of the parts.
  private static func cellHash(_ name: String, _ key: Int64, _ cell: SharedCell) -> UInt64 {
    guard cell.count != 0 else { return 0 }
    return mix(mix(number(of: name) &+ UInt64(bitPattern: key)) &+ cell.word)
  }

  /// Returns a hash of a name's bytes, the same on all machines.
  static func number(of name: String) -> UInt64 {
    var mixed: UInt64 = 0
    for byte in name.utf8 { mixed = mix(mixed &+ UInt64(byte) &+ 1) }
    return mixed
  }

  private static func mix(_ number: UInt64) -> UInt64 {
    SplitMix.mix(number &+ SplitMix.step)
  }
}

/// Changes of the cells of one shared setting, such as a drum pattern.
public struct SharedEdits: Hashable, Sendable {
  /// The name of the shared setting, 1 to 64 bytes.
  ///
  /// The name for a drum machine contains its size, so that only drum machines of the same size share a pattern.
  public var name: String
  /// The changed cells, with their new values.
  public var edits: [SharedEdit]

  /// Creates changes of one shared setting.
  public init(_ name: String, _ edits: [SharedEdit]) { (self.name, self.edits) = (name, edits) }

  /// The largest number of cells in a message; a message with 56 cells has at most 1,160 bytes.
  public static let most = 56

  /// The same changes, split into as many messages as needed.
  var parts: [SharedEdits] {
    stride(from: 0, to: edits.count, by: Self.most).map { start in
      SharedEdits(name, Array(edits[start..<min(start + Self.most, edits.count)]))
    }
  }
}
