/// A setting that several members may change at the same time, such as a slot of a drum machine: the last change wins.
///
/// A change carries its author and a count, which is higher by 1 than the count that the author saw. Of two changes,
/// the higher count wins; then the higher author; then the higher value. So all members agree, in whatever order and
/// however often changes reach them. The count after the highest is 1, and 1 then wins over the highest. So a sender
/// of forged changes, however many, cannot bring a cell to the end of its counts.
///
/// - Source: the last-writer-wins register; M. Shapiro, N. Preguiça, C. Baquero, M. Zawirski, *A comprehensive study of
///   convergent and commutative replicated data types*, INRIA RR-7506 (2011); counts that wrap around: R. Elz, R. Bush,
///   *Serial number arithmetic*, RFC 1982 (1996).
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct SharedCell: Hashable, Sendable, BitwiseCopyable {
  /// The count (32 bits), author (16) and value (16), the highest bits first.
  public let word: UInt64

  /// Creates a cell from the word that was sent.
  @inlinable
  public init(word: UInt64) { self.word = word }

  /// Creates a change from its parts.
  @inlinable
  public init(value: UInt16, count: UInt32, author: UInt16) {
    word = UInt64(count) << 32 | UInt64(author) << 16 | UInt64(value)
  }

  /// The value that is set.
  @inlinable public var value: UInt16 { UInt16(truncatingIfNeeded: word) }
  /// The member that set it.
  @inlinable public var author: UInt16 { UInt16(truncatingIfNeeded: word >> 16) }
  /// The number of changes up to this one, as its author knew them; 0 for a cell that was never set.
  @inlinable public var count: UInt32 { UInt32(truncatingIfNeeded: word >> 32) }

  /// The largest distance by which a count may be ahead: more than people can reach between two reads.
  @usableFromInline static var furthest: UInt32 { 1 << 24 }

  /// Returns whether this cell replaces another; a cell whose count is more than 2²⁴ ahead does not.
  @inlinable
  public func wins(over other: SharedCell) -> Bool {
    guard count != 0, other.count != 0 else { return count != 0 }
    let ahead = count &- other.count
    guard ahead != 0 else { return word > other.word }
    return ahead <= Self.furthest
  }

  /// Returns a change that follows this one.
  @inlinable
  public func changed(to value: UInt16, by author: UInt16) -> SharedCell {
    SharedCell(value: value, count: count == .max ? 1 : count + 1, author: author)
  }
}

/// A change of one cell, as it is sent to the other members.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct SharedEdit: Hashable, Sendable, BitwiseCopyable {
  /// The number of the cell, as its users count them; for a drum machine see `DrumLayout`.
  public var key: Int64
  /// The new state of the cell.
  public var cell: SharedCell

  /// Creates a change from its parts.
  @inlinable
  public init(key: Int64, cell: SharedCell) { (self.key, self.cell) = (key, cell) }
}
