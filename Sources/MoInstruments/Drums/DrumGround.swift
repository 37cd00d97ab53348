import MoCore
import Synchronization

/// The ground of a board: what stands where no hand has set anything, usually nothing.
///
/// A room's machines have the pattern that the room began with as their ground, so that it is one whole pattern however
/// many began, and what hands set stands above it.
extension DrumBoard {
  /// Makes what was set so far the ground, as if nobody had set it, and says what that is: values by their cells.
  ///
  /// What was set can then not be taken back by `undo`.
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

  /// Sets what stands where no hand has set anything; cells that are not named, or cannot have the value, become as on a
  /// new board.
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
  /// What stands there without anybody having set it.
  init(standing value: UInt16) { self.init(value: value, count: 0, author: 0) }
}
