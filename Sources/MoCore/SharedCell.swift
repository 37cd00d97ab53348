/// A setting that members may change at the same time, such as a step of a drum pattern: the last change wins.
///
/// A change carries its author and a count, which is higher by 1 than the count that the author saw. Of two changes,
/// the change with the higher count wins, unless its count is more than 2²⁴ ahead. If the counts are equal, the author
/// with the higher number wins. If the authors are equal, too, the higher value wins. So all members agree, in whatever
/// order and however often changes reach them. After the highest count, the next count is 1, and a change with count 1
/// then wins over the highest count. So a sender of forged changes cannot block a cell by the highest count.
///
/// - Source: the last-writer-wins register; M. Shapiro, N. Preguiça, C. Baquero, M. Zawirski, *A comprehensive study of
///   convergent and commutative replicated data types*, INRIA RR-7506 (2011); counts that wrap around: R. Elz, R. Bush,
///   *Serial number arithmetic*, RFC 1982 (1996).
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct SharedCell: Hashable, Sendable, BitwiseCopyable {
  /// The count (highest 32 bits), the author (next 16 bits) and the value (lowest 16 bits) in one word.
  public let word: UInt64

  /// Creates a cell from its `word`, as members send it.
  @inlinable
  public init(word: UInt64) { self.word = word }

  /// Creates a cell from its parts.
  @inlinable
  public init(value: UInt16, count: UInt32, author: UInt16) {
    word = UInt64(count) << 32 | UInt64(author) << 16 | UInt64(value)
  }

  /// The value that is set.
  @inlinable public var value: UInt16 { UInt16(truncatingIfNeeded: word) }
  /// The number of the drum machine, or of the installation, that set the value.
  @inlinable public var author: UInt16 { UInt16(truncatingIfNeeded: word >> 16) }
  /// The number of changes up to and including this change, as its author knew them; 0 for a cell that was never set.
  @inlinable public var count: UInt32 { UInt32(truncatingIfNeeded: word >> 32) }

  /// The largest amount by which a winning change's `count` may exceed the `count` of the change that it replaces.
  ///
  /// Between two messages about a cell, members make fewer than 2²⁴ changes to the cell.
  @usableFromInline static var furthest: UInt32 { 1 << 24 }

  /// Returns whether this cell replaces another cell.
  ///
  /// If the count of this cell is more than 2²⁴ ahead of the other cell's count, this cell does not replace the other
  /// cell.
  @inlinable
  public func wins(over other: SharedCell) -> Bool {
    guard count != 0, other.count != 0 else { return count != 0 }
    let ahead = count &- other.count
    guard ahead != 0 else { return word > other.word }
    return ahead <= Self.furthest
  }

  /// Returns this cell with a new value and author; its count is the next count after this cell's count.
  @inlinable
  public func changed(to value: UInt16, by author: UInt16) -> SharedCell {
    SharedCell(value: value, count: count == .max ? 1 : count + 1, author: author)
  }
}

/// An edit of one cell, as it is sent to the other members.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct SharedEdit: Hashable, Sendable, BitwiseCopyable {
  /// The number of the cell in its shared setting; for a drum machine see `DrumLayout`.
  public var key: Int64
  /// The new state of the cell.
  public var cell: SharedCell

  /// Creates an edit from its parts.
  @inlinable
  public init(key: Int64, cell: SharedCell) { (self.key, self.cell) = (key, cell) }
}
