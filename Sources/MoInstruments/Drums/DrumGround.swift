import MoCore
import Synchronization

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
