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
    var song = SessionIdentity.tidy(song)
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
    let changed = cell.changed(to: isSet ? 1 : 0, by: settings.identity.installation.mark)
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
  package func markTold(by id: MemberID, _ edits: SharedEdits) -> (mark: RehearsalMark, isSet: Bool)? {
    guard let edit = edits.edits.first, edits.edits.count == 1, let told = Self.marks(in: edits).first,
      (try? installation(id))?.mark == edit.cell.author
    else { return nil }
    return told
  }
}
