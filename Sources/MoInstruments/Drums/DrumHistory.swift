import MoCore

/// The last 256 changes made on this machine, for `undo`; a change can have several cells.
struct DrumHistory: Sendable {
  /// A change of the cell with the index `key`: `before` is the cell before the change, `mine` the cell that this
  /// machine wrote.
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

  /// Updates the earlier change that wrote `cell`: stores `restored` as the cell that this change wrote.
  ///
  /// `undo` calls the method after it has written `restored` to the board. `restored` has the value of `cell`, but a
  /// higher count of changes. Without the update, the cell on the board would differ from the cell that the earlier
  /// change wrote, and `undo` could not take back this change.
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
