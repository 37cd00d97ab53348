import MoCore

/// One's own last changes, to be taken back; the oldest of more than 256 are forgotten.
struct DrumHistory: Sendable {
  /// A cell, what it was, and what one made of it.
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

  /// What was taken back stands again, under a new count: an earlier change of one's own is now that one.
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
  /// Takes back one's own last change; whether there was one.
  ///
  /// What somebody else has changed since stays as it is: the change before that is then taken back. 256 are
  /// remembered.
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
