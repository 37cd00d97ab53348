import MoInstruments

/// A drum board as the members of a room share it: the initial pattern of the room, and the edits since then.
///
/// Several members may begin a room at the same time. Each of them announces its initial pattern under the random
/// number of its board (`author`). The pattern with the highest number becomes the pattern of all members, as a whole:
/// a mix of cells would be a pattern that no player wrote. Edits by players then override single cells. If a part of
/// the room joins another part, its members begin again with the pattern of the other part.
///
/// A `RoomPattern` does not depend on a session, so that it works in the same way for a tape and in an offline run.
///
/// - Thread: any.
package final class RoomPattern: Sendable {
  private let board: DrumBoard
  /// The initial patterns that members announced, each under the random number of the member's board; a pattern maps
  /// cell indices to values.
  private let grounds = Locked<[UInt16: [Int32: UInt16]]>([:])

  /// The largest number of initial patterns that are stored; further patterns are ignored.
  private static let most = 64

  /// Creates the pattern of a board, before any member has announced an initial pattern.
  package init(_ board: DrumBoard) { self.board = board }

  /// Replaces the board's own pattern with the room's pattern.
  ///
  /// If the room has no pattern, the board's own pattern becomes the room's initial pattern.
  ///
  /// - Parameter there: the edits that the room already has; empty if the room has no pattern.
  /// - Returns: the edits to send to the room.
  package func begin(with there: [SharedEdit]) -> [SharedEdit] {
    guard there.isEmpty else {
      forget()
      for edit in there { apply(edit) }
      return []
    }
    grounds.withLock { $0 = [:] }
    let ground = board.makeGround()
    let author = board.author
    let own = ground.sorted { $0.key < $1.key }.map { key, value in
      SharedEdit(
        key: Self.key(key, begunBy: author), cell: SharedCell(value: value, count: 1, author: author))
    }
    for edit in own { apply(edit) }
    return own
  }

  /// Forgets the room's pattern, since another room begins.
  package func forget() {
    grounds.withLock { $0 = [:] }
    board.reset()
  }

  /// Applies an edit from the room; an invalid edit is ignored.
  package func apply(_ edit: SharedEdit) {
    guard let founder = Self.founder(edit.key) else {
      board.merge(edit)
      return
    }
    let key = Int32(truncatingIfNeeded: edit.key & 0xFFFF_FFFF)
    guard 0..<board.layout.count ~= Int(key) else { return }
    // Under the lock, so that two initial patterns are not applied at the same time.
    grounds.withLock { grounds in
      guard grounds[founder] != nil || grounds.count < Self.most else { return }
      grounds[founder, default: [:]][key] = edit.cell.value
      if let first = grounds.keys.max(), first == founder { board.setGround(grounds[first] ?? [:]) }
    }
  }

  /// Returns the key under which a room stores a cell of an initial pattern.
  ///
  /// A cell that a player edited has another key: its index on the board, which is lower than all keys of initial
  /// patterns.
  ///
  /// - Parameters:
  ///   - key: the cell's index on the board.
  ///   - author: the number of the board that the initial pattern comes from.
  package static func key(_ key: Int32, begunBy author: UInt16) -> Int64 {
    (Int64(author) + 1) << 32 | Int64(key)
  }

  private static func founder(_ key: Int64) -> UInt16? {
    let place = key >> 32
    return place > 0 ? UInt16(exactly: place - 1) : nil
  }
}
