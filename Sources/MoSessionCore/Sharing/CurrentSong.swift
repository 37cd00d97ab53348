import MoCore

/// The song that the room rehearses, as shared data.
///
/// The rehearsal marks of a song are a shared thing. If the song is the current song, the thing's cell with key 0 is 1.
/// So all machines know the current song, even after a restart or without the list of songs.
extension SessionCore {
  private static let currentKey: Int64 = 0

  /// The name of the room's current song, cut to the length of a song's name in a `RehearsalMark`; nil for none.
  ///
  /// If two members select different songs at the same moment, the song whose name sorts first counts.
  package var song: String? { currentSongs.map(Self.tidy).filter { !$0.isEmpty }.min() }

  /// Returns a song's name without control characters, as in a rehearsal mark; another member may have forged the name.
  private static func tidy(_ name: String) -> String { RehearsalMark(bar: 1, of: name).song }

  private var currentSongs: [String] {
    sharing.store.things.filter { name, cells in
      name.hasPrefix(Self.markPrefix) && cells[Self.currentKey].map { $0.value != 0 } ?? false
    }.keys.map { String($0.dropFirst(Self.markPrefix.count)) }
  }

  /// Sets the room's current song; after an empty name, the room has no current song.
  ///
  /// - Throws: `SessionRefusal.tooManyCells`.
  package mutating func setSong(_ name: String, now: HostTime) throws(SessionRefusal) {
    let name = Self.tidy(name)
    if !name.isEmpty { try setCurrent(name, true, now: now) }
    for other in currentSongs.sorted() where other != name { try setCurrent(other, false, now: now) }
  }

  private mutating func setCurrent(_ song: String, _ isCurrent: Bool, now: HostTime) throws(SessionRefusal) {
    let cell = sharing.store[Self.markPrefix + song, Self.currentKey]
    guard (cell.value != 0) != isCurrent else { return }
    let changed = cell.changed(to: isCurrent ? 1 : 0, by: settings.identity.installation.mark)
    try share(
      SharedEdits(Self.markPrefix + song, [SharedEdit(key: Self.currentKey, cell: changed)]), now: now)
  }

  /// Returns the song that a member selects; nil for other changes, and if the member only relays the change.
  package func songTold(by id: MemberID, _ edits: SharedEdits) -> String? {
    guard let change = Self.songChange(in: edits), change.isCurrent,
      (try? installation(id))?.mark == edits.edits[0].cell.author
    else { return nil }
    return change.song
  }

  /// Returns the song that a change of shared data selects or deselects; nil for other changes.
  package static func songChange(in edits: SharedEdits) -> (song: String, isCurrent: Bool)? {
    guard edits.name.hasPrefix(markPrefix), let edit = edits.edits.first, edits.edits.count == 1,
      edit.key == currentKey
    else { return nil }
    let song = tidy(String(edits.name.dropFirst(markPrefix.count)))
    return song.isEmpty ? nil : (song, edit.cell.value != 0)
  }
}
