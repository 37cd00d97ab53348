import MoInstruments

/// A drum board as a room has it: the pattern that the room began with, and what hands have set since.
///
/// Several members may begin at the same moment. Each says what it began with under a number of its own, and of several the
/// pattern of the highest number is everybody's, whole: cell by cell there would be a mixture that nobody has written. What
/// hands set stands above it, cell by cell. A part of a room that joins another begins anew, with what that one has.
///
/// It knows no session, so that it does for a tape, and in counted time, what it does in a room.
///
/// - Thread: any.
package final class RoomPattern: Sendable {
  private let board: DrumBoard
  /// What each that began has set, by its number.
  private let grounds = Locked<[UInt16: [Int32: UInt16]]>([:])

  /// Most that are remembered to have begun; more than a room can hold.
  private static let most = 64

  /// Begins with nothing said.
  package init(_ board: DrumBoard) { self.board = board }

  /// Takes over what a room has, and one's own pattern goes; where it has nothing, one's own is what it begins with.
  ///
  /// - Returns: what the room is to be told.
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

  /// Takes something that the room says; what makes no sense is left.
  package func take(_ edit: SharedEdit) {
    guard let founder = Self.founder(edit.key) else {
      board.merge(edit)
      return
    }
    let key = Int32(truncatingIfNeeded: edit.key & 0xFFFF_FFFF)
    guard 0..<board.layout.count ~= Int(key) else { return }
    // Under the lock, so that two do not lay their grounds at once.
    grounds.withLock { grounds in
      guard grounds[founder] != nil || grounds.count < Self.most else { return }
      grounds[founder, default: [:]][key] = edit.cell.value
      if let first = grounds.keys.max(), first == founder { board.setGround(grounds[first] ?? [:]) }
    }
  }

  /// A cell of the pattern that somebody began with, as a room counts it: hands' cells are below.
  static func key(_ key: Int32, begunBy author: UInt16) -> Int64 { (Int64(author) + 1) << 32 | Int64(key) }

  private static func founder(_ key: Int64) -> UInt16? {
    let place = key >> 32
    return place > 0 ? UInt16(exactly: place - 1) : nil
  }
}
