/// One setting that several may change at once, such as a slot of a drum machine: the last change wins, everywhere.
///
/// A change bears a count, one higher than what its author saw, and who the author is. Of two, the one with the higher
/// count wins, of two as high, the one of the higher author, then of the higher value: so all come to the same, in
/// whatever order and however often changes reach them. After the highest count comes 1, and is higher: whoever sends
/// changes of another's making, however many, cannot bring a cell to an end of counting.
///
/// - Source: the last-writer-wins register; M. Shapiro, N. Preguiça, C. Baquero, M. Zawirski, *A comprehensive study of
///   convergent and commutative replicated data types*, INRIA RR-7506 (2011); numbers that go round: R. Elz, R. Bush,
///   *Serial number arithmetic*, RFC 1982 (1996).
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct SharedCell: Hashable, Sendable, BitwiseCopyable {
  /// Count (32 bits), author (16) and value (16), the highest bits first.
  public let word: UInt64

  /// A cell as it was sent.
  @inlinable
  public init(word: UInt64) { self.word = word }

  /// A change.
  @inlinable
  public init(value: UInt16, count: UInt32, author: UInt16) {
    word = UInt64(count) << 32 | UInt64(author) << 16 | UInt64(value)
  }

  /// What is set.
  @inlinable public var value: UInt16 { UInt16(truncatingIfNeeded: word) }
  /// Who set it.
  @inlinable public var author: UInt16 { UInt16(truncatingIfNeeded: word >> 16) }
  /// How many changes there were, as its author saw it; 0 where there was none.
  @inlinable public var count: UInt32 { UInt32(truncatingIfNeeded: word >> 32) }

  /// How far a count may be ahead, which no hand comes to between two looks.
  @usableFromInline static var furthest: UInt32 { 1 << 24 }

  /// Whether it takes another's place; a count that is more than 2²⁴ ahead does not.
  @inlinable
  public func wins(over other: SharedCell) -> Bool {
    guard count != 0, other.count != 0 else { return count != 0 }
    let ahead = count &- other.count
    guard ahead != 0 else { return word > other.word }
    return ahead <= Self.furthest
  }

  /// A change that comes after this.
  @inlinable
  public func changed(to value: UInt16, by author: UInt16) -> SharedCell {
    SharedCell(value: value, count: count == .max ? 1 : count + 1, author: author)
  }
}

/// A change of one cell, as it goes to the others.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct SharedEdit: Hashable, Sendable, BitwiseCopyable {
  /// Which cell, as those who share it count them; for a drum machine see `DrumLayout`.
  public var key: Int64
  /// What it became.
  public var cell: SharedCell

  /// A change.
  @inlinable
  public init(key: Int64, cell: SharedCell) { (self.key, self.cell) = (key, cell) }
}
