import MoCore
import Synchronization

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
  /// Takes back the last edit that was made on this board; returns false if no edit is left to take back.
  ///
  /// Merged edits of other boards are not taken back. If another member has edited a cell since this edit, the cell
  /// keeps its new value. If no cell of the edit can be taken back, `undo` takes back the previous edit instead. Up to
  /// 256 edits can be undone.
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

/// The ground of a board: the values of the cells that no user has edited, normally the defaults.
///
/// In a room, the ground is the pattern with which the room began. If several members begin at the same time, all
/// machines take the whole pattern of one of these members, not a mix. Edits by users override the ground.
extension DrumBoard {
  /// Makes the present values of all edited cells part of the ground; these cells then count as not edited.
  ///
  /// Afterwards, `undo` can no longer take back the earlier edits.
  ///
  /// - Returns: the values of these cells, by the index of the cell.
  package func makeGround() -> [Int32: UInt16] {
    history.withLock { $0 = DrumHistory() }
    var ground: [Int32: UInt16] = [:]
    for key in 0..<layout.count {
      while true {
        let current = cell(key)
        guard current.count > 0 else { break }
        if exchange(current, for: SharedCell(standing: current.value), at: key) {
          ground[Int32(key)] = current.value
          break
        }
      }
    }
    return ground
  }

  /// Writes `values` to the board, except to cells that a user has edited; the keys are the indices of the cells.
  ///
  /// If `values` has no valid value for a cell that no user has edited, the cell gets the default of a new board.
  package func setGround(_ values: [Int32: UInt16]) {
    for key in 0..<layout.count {
      let asked = values[Int32(key)].flatMap { layout.takes($0, at: key) ? $0 : nil }
      let ground = SharedCell(standing: asked ?? layout.usual(key))
      while true {
        let current = cell(key)
        guard current.count == 0, current != ground, !exchange(current, for: ground, at: key) else { break }
      }
    }
  }

  private func exchange(_ old: SharedCell, for new: SharedCell, at key: Int) -> Bool {
    words[key].compareExchange(expected: old.word, desired: new.word, ordering: .acquiringAndReleasing)
      .exchanged
  }
}

extension SharedCell {
  /// Creates a cell whose value counts as not edited: the count of changes is 0.
  init(standing value: UInt16) { self.init(value: value, count: 0, author: 0) }
}
