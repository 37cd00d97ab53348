import MoCore
import Synchronization

/// The ground of a board: the values of cells that no user has edited, normally the defaults.
///
/// The pattern with which a room began is the ground on all machines of this room. So the room has one whole pattern,
/// even if many members began at the same time. Edits by users override the ground.
extension DrumBoard {
  /// Turns all edits so far into the ground, as if no user had made them; returns the values of the ground by cell.
  ///
  /// `undo` can then no longer take those edits back.
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

  /// Sets the ground: the values of cells that no user has edited.
  ///
  /// If a cell is missing from `values`, or its value is invalid, the cell gets the default of a new board.
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
  /// Creates a value that no user has edited.
  init(standing value: UInt16) { self.init(value: value, count: 0, author: 0) }
}
