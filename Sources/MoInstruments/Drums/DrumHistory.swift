import MoCore

/// The last local changes, for `undo`; keeps the latest 256.
struct DrumHistory: Sendable {
  /// A change of a cell: its value before, and the value set here.
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

  /// Updates the history after an undo: an earlier change that set `cell` now refers to the restored cell.
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
  /// Takes back the last change that was not merged from another board; returns false if there is none.
  ///
  /// If another member has changed a cell since that change, the cell keeps its new value. If no cell of the change
  /// can be taken back, `undo` takes back the change before it. Up to 256 changes can be undone.
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
