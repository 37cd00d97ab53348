import MoCore

/// A rehearsal mark: a bar, and its song.
public struct RehearsalMark: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The range of bars that can be marked.
  public static let bars = 1...999_999
  /// The most bytes of a song's name: the name of the shared thing has at most 64 bytes, with the prefix `mark/`.
  private static let mostBytes = 64 - SessionCore.markPrefix.utf8.count

  /// The song, cut to 40 characters; empty for none.
  public var song: String
  /// The bar, counted from 1; see `bars`.
  public var bar: Int

  /// Creates a mark; a bar out of range is clamped.
  public init(bar: Int, of song: String = "") {
    var song = SessionIdentity.sanitized(song)
    while song.utf8.count > Self.mostBytes { song.removeLast() }
    self.song = song
    self.bar = max(Self.bars.lowerBound, min(bar, Self.bars.upperBound))
  }

  /// The text that is shown: `bar 12 of Take Five`.
  public var description: String { song.isEmpty ? "bar \(bar)" : "bar \(bar) of \(song)" }

  /// Returns whether a mark sorts before another: by song, then by bar.
  public static func < (one: RehearsalMark, other: RehearsalMark) -> Bool {
    (one.song, one.bar) < (other.song, other.bar)
  }
}

/// Rehearsal marks as shared data: a thing for each song, and a cell for each bar, 1 if it is marked.
extension SessionCore {
  static let markPrefix = "mark/"

  /// The marks that the room shares, sorted by song and bar.
  package var marks: [RehearsalMark] {
    sharing.store.things.keys.filter { $0.hasPrefix(Self.markPrefix) }.flatMap { name in
      Self.marks(in: SharedEdits(name, shared(name))).filter(\.isSet).map(\.mark)
    }.sorted()
  }

  /// Sets a mark for all members, or removes it.
  ///
  /// - Throws: `SessionRefusal.tooManyCells`, `unknownMark`.
  package mutating func setMark(
    _ mark: RehearsalMark, _ isSet: Bool = true, now: HostTime
  ) throws(SessionRefusal) {
    let name = Self.markPrefix + mark.song
    let cell = sharing.store[name, Int64(mark.bar)]
    guard (cell.value != 0) != isSet else {
      if isSet { return }
      throw .unknownMark(mark)
    }
    let changed = cell.changed(to: isSet ? 1 : 0, by: settings.identity.installation.authorBits)
    try share(SharedEdits(name, [SharedEdit(key: Int64(mark.bar), cell: changed)]), now: now)
  }

  /// Returns the marks that are set or removed by changes of shared data; an empty array for changes of other things.
  package static func marks(in edits: SharedEdits) -> [(mark: RehearsalMark, isSet: Bool)] {
    guard edits.name.hasPrefix(markPrefix) else { return [] }
    let song = String(edits.name.dropFirst(markPrefix.count))
    return edits.edits.filter { RehearsalMark.bars.contains(Int($0.key)) }.map {
      (RehearsalMark(bar: Int($0.key), of: song), $0.cell.value != 0)
    }
  }

  /// Returns the mark that a member sets or removes; nil for other changes, and if the member only relays the change.
  package func markChange(by id: MemberID, _ edits: SharedEdits) -> (mark: RehearsalMark, isSet: Bool)? {
    guard let edit = edits.edits.first, edits.edits.count == 1, let mark = Self.marks(in: edits).first,
      (try? installation(id))?.authorBits == edit.cell.author
    else { return nil }
    return mark
  }
}

/// The song that the room rehearses, as shared data.
///
/// The rehearsal marks of a song are a shared thing. If the song is the current song, the thing's cell with key 0 is 1.
/// So all machines know the current song, even after a restart or without the list of songs.
extension SessionCore {
  private static let currentKey: Int64 = 0

  /// The name of the room's current song, cut to the length of a song's name in a `RehearsalMark`; nil for none.
  ///
  /// If two members select different songs at the same moment, the song whose name sorts first counts.
  package var song: String? { currentSongs.map(Self.sanitized).filter { !$0.isEmpty }.min() }

  /// Returns a song's name without control characters, as in a rehearsal mark; another member may have forged the name.
  private static func sanitized(_ name: String) -> String { RehearsalMark(bar: 1, of: name).song }

  private var currentSongs: [String] {
    sharing.store.things.filter { name, cells in
      name.hasPrefix(Self.markPrefix) && cells[Self.currentKey].map { $0.value != 0 } ?? false
    }.keys.map { String($0.dropFirst(Self.markPrefix.count)) }
  }

  /// Sets the room's current song; after an empty name, the room has no current song.
  ///
  /// - Throws: `SessionRefusal.tooManyCells`.
  package mutating func setSong(_ name: String, now: HostTime) throws(SessionRefusal) {
    let name = Self.sanitized(name)
    if !name.isEmpty { try setCurrent(name, true, now: now) }
    for other in currentSongs.sorted() where other != name { try setCurrent(other, false, now: now) }
  }

  private mutating func setCurrent(_ song: String, _ isCurrent: Bool, now: HostTime) throws(SessionRefusal) {
    let cell = sharing.store[Self.markPrefix + song, Self.currentKey]
    guard (cell.value != 0) != isCurrent else { return }
    let changed = cell.changed(to: isCurrent ? 1 : 0, by: settings.identity.installation.authorBits)
    try share(
      SharedEdits(Self.markPrefix + song, [SharedEdit(key: Self.currentKey, cell: changed)]), now: now)
  }

  /// Returns the song that a member selects; nil for other changes, and if the member only relays the change.
  package func songSelection(by id: MemberID, _ edits: SharedEdits) -> String? {
    guard let change = Self.songChange(in: edits), change.isCurrent,
      (try? installation(id))?.authorBits == edits.edits[0].cell.author
    else { return nil }
    return change.song
  }

  /// Returns the song that a change of shared data selects or deselects; nil for other changes.
  package static func songChange(in edits: SharedEdits) -> (song: String, isCurrent: Bool)? {
    guard edits.name.hasPrefix(markPrefix), let edit = edits.edits.first, edits.edits.count == 1,
      edit.key == currentKey
    else { return nil }
    let song = sanitized(String(edits.name.dropFirst(markPrefix.count)))
    return song.isEmpty ? nil : (song, edit.cell.value != 0)
  }
}
