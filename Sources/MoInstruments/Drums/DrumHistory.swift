import MoCore

/// The last 256 changes made on this machine, for `undo`; a change can have several cells.
struct DrumHistory: Sendable {
  /// A change of a cell: the cell before the change, and the cell as this machine set it.
  struct Change: Sendable {
    var key: Int
    var before: SharedCell
    var mine: SharedCell
  }

  static let most = 256
  private(set) var groups: [[Change]] = []

  mutating func add(_ changes: [Change]) {
    if groups.count == Self.most { groups.removeFirst() }
    groups.append(changes)
  }

  mutating func takeLast() -> [Change]? { groups.popLast() }

  /// Replaces `cell` by `restored` in the earlier change that wrote `cell`; called after `undo` has written `restored`.
  ///
  /// Both have the same value, but `restored` has a higher count of changes. Without the replacement, `undo` would not
  /// recognise the cell, and could not take back the earlier change.
  mutating func restore(_ cell: SharedCell, as restored: SharedCell, key: Int) {
    for group in groups.indices.reversed() {
      for place in groups[group].indices
      where groups[group][place].key == key && groups[group][place].mine == cell {
        groups[group][place].mine = restored
        return
      }
    }
  }
}

extension DrumBoard {
  /// Takes back the last change that was made on this board; returns false if no change is left to take back.
  ///
  /// Merged edits of other boards are not taken back. If another member has changed a cell since the change, the cell
  /// keeps its new value. If no cell of the change can be taken back, `undo` takes back the previous change instead. Up
  /// to 256 changes can be undone.
  @discardableResult
  public func undo() -> Bool {
    while let changes = history.withLock({ $0.takeLast() }) {
      let standing = changes.filter { cell($0.key) == $0.mine }
      let made = write(standing.map { ($0.key, $0.before.value) })
      guard !made.isEmpty else { continue }
      history.withLock { history in
        for change in made {
          guard let old = standing.first(where: { $0.key == change.key }) else { continue }
          history.restore(old.before, as: change.mine, key: change.key)
        }
      }
      return true
    }
    return false
  }
}
