import MoInstruments

/// A drum board as a room has it: the pattern that the room began with, and the edits since.
///
/// Several members may begin at the same moment. Each announces its initial pattern under a number of its own. The
/// pattern of the highest number becomes the pattern of all, as a whole: a mix by cell would be a pattern that no
/// player wrote. Edits override it, cell by cell. A part of a room that joins another part begins anew, with the
/// pattern of that part.
///
/// It does not depend on a session, so that it works in the same way for a tape and in an offline run.
///
/// - Thread: any.
package final class RoomPattern: Sendable {
  private let board: DrumBoard
  /// The initial patterns that members announced, by number.
  private let grounds = Locked<[UInt16: [Int32: UInt16]]>([:])

  /// The most initial patterns that are kept; more than a room can hold.
  private static let most = 64

  /// Creates the pattern of a board, before any member has announced an initial pattern.
  package init(_ board: DrumBoard) { self.board = board }

  /// Takes over the room's pattern and drops the board's own; if the room has none, the board's own becomes the initial
  /// one.
  ///
  /// - Returns: the edits to send to the room.
  package func begin(with there: [SharedEdit]) -> [SharedEdit] {
    grounds.withLock { $0 = [:] }
    guard there.isEmpty else {
      board.reset()
      for edit in there { take(edit) }
      return []
    }
    let ground = board.makeGround()
    let author = board.author
    let own = ground.sorted { $0.key < $1.key }.map { key, value in
      SharedEdit(
        key: Self.key(key, begunBy: author), cell: SharedCell(value: value, count: 1, author: author))
    }
    for edit in own { take(edit) }
    return own
  }

  /// Applies an edit from the room; ignores invalid ones.
  package func take(_ edit: SharedEdit) {
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

  /// Returns the room's key of a cell in an initial pattern; keys of edited cells are lower.
  static func key(_ key: Int32, begunBy author: UInt16) -> Int64 { (Int64(author) + 1) << 32 | Int64(key) }

  private static func founder(_ key: Int64) -> UInt16? {
    let place = key >> 32
    return place > 0 ? UInt16(exactly: place - 1) : nil
  }
}
