import Synchronization

/// One setting of a drum machine that several may change at once: the last change wins, everywhere.
///
/// A change bears a count, one higher than what its author saw there, and who the author is. Of two, the one with the
/// higher count wins, of two as high, the one of the higher author: so all machines come to the same value, in whatever
/// order and however often the changes reach them. After the highest count comes 1, and is higher: whoever sends changes
/// of another's making, however many, cannot bring a cell to an end of counting.
///
/// - Source: the last-writer-wins register; M. Shapiro, N. Preguiça, C. Baquero, M. Zawirski, *A comprehensive study of
///   convergent and commutative replicated data types*, INRIA RR-7506 (2011); numbers that go round: R. Elz, R. Bush, *Serial number
///   arithmetic*, RFC 1982 (1996).
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct DrumCell: Hashable, Sendable, BitwiseCopyable {
  /// Count, author and value, the highest bits first.
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

  /// Whether it takes another's place.
  @inlinable
  public func wins(over other: DrumCell) -> Bool {
    guard count != 0, other.count != 0 else { return count != 0 }
    let ahead = count &- other.count
    guard ahead != 0 else { return word > other.word }
    return ahead <= Self.furthest
  }

  /// The count of the change that comes after it.
  @inlinable var nextCount: UInt32 { count == .max ? 1 : count + 1 }
}

/// A change of one cell, as it goes to the other machines.
///
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct DrumEdit: Hashable, Sendable, BitwiseCopyable {
  /// Which cell: see `DrumLayout`.
  public var key: Int32
  /// What it became.
  public var cell: DrumCell

  /// A change.
  @inlinable
  public init(key: Int32, cell: DrumCell) { (self.key, self.cell) = (key, cell) }
}
