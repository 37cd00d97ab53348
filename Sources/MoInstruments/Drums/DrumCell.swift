import Synchronization

/// One setting of a drum machine that several may change at once: the last change wins, everywhere.
///
/// A change bears a count that is higher than any its author has seen, and who the author is. Of two, the one with the
/// higher count wins, of two as high, the one of the higher author: so all machines come to the same value, in whatever
/// order and however often the changes reach them.
///
/// - Source: the last-writer-wins register; M. Shapiro, N. Preguiça, C. Baquero, M. Zawirski, *A comprehensive study of
///   convergent and commutative replicated data types*, INRIA RR-7506 (2011).
/// - Thread: any; a plain value.
/// - Real-time safe: yes.
@frozen
public struct DrumCell: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Count, author and value, the highest bits first: comparing the words compares the changes.
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
  /// How many changes its author had seen.
  @inlinable public var count: UInt32 { UInt32(truncatingIfNeeded: word >> 32) }

  /// Whether the right one wins.
  @inlinable
  public static func < (left: DrumCell, right: DrumCell) -> Bool { left.word < right.word }
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
