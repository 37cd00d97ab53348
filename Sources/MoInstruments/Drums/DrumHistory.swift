/// One's own last changes, to be taken back; the oldest of more than 256 are forgotten.
struct DrumHistory: Sendable {
  /// A cell, what it was, and what one made of it.
  struct Change: Sendable {
    var key: Int
    var before: UInt16
    var mine: DrumCell
  }

  static let most = 256
  private(set) var groups: [[Change]] = []

  mutating func add(_ changes: [Change]) {
    if groups.count == Self.most { groups.removeFirst() }
    groups.append(changes)
  }

  mutating func takeLast() -> [Change]? { groups.popLast() }
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
      if !write(standing.map { ($0.key, $0.before) }).isEmpty { return true }
    }
    return false
  }
}
