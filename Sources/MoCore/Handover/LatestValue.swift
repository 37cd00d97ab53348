import Synchronization

/// The latest of a series of plain values, always whole: a reader never waits and never sees half of a value.
///
/// The writer fills eight places in turn and then stores the number of the latest value, so a reader reads a place that
/// is not being written. A single place is not enough: if the audio thread interrupted the writer in the middle of a
/// write, the audio thread would wait for a thread that it keeps from running. Each place also stores the number of its
/// value. If the writer overwrites a place while a reader reads it, this number changes, and the reader reads again.
///
/// - Source: H.-J. Boehm, *Can Seqlocks Get Along with Programming Language Memory Models?*, MSPC 2012, for the
///   count and its fences.
/// - Thread: one writer at a time, any readers.
/// - Real-time safe: yes.
@usableFromInline
package final class LatestValue<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked: the words are atomic, and their memory does not move.
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt>>
  @usableFromInline let first: Value
  /// The number of values stored so far; values are numbered from 1, so the latest value has this number.
  @usableFromInline let count = Atomic<UInt>(0)

  @inlinable static var places: Int { 8 }
  @inlinable static var wordsAValue: Int { (MemoryLayout<Value>.size + 7) / 8 }
  /// The number of words in each of the eight places in which values are stored.
  ///
  /// The first word is the number of the place's value, or 0 during a write. The other words are the value.
  @inlinable static var wordsAPlace: Int { 1 + wordsAValue }

  @inlinable
  package init(_ value: Value) {
    first = value
    let size = Self.places * Self.wordsAPlace
    words = .allocate(capacity: size)
    for index in 0..<size { (words + index).initialize(to: Atomic(0)) }
    store(value)
  }

  deinit {
    words.deinitialize(count: Self.places * Self.wordsAPlace)
    words.deallocate()
  }

  @inlinable
  package func store(_ value: Value) {
    let number = count.load(ordering: .relaxed) &+ 1
    let place = place(of: number)
    place[0].store(0, ordering: .relaxed)
    atomicMemoryFence(ordering: .releasing)
    withUnsafeBytes(of: value) { bytes in
      for word in 0..<Self.wordsAValue {
        place[1 + word].store(Self.word(word, of: bytes), ordering: .relaxed)
      }
    }
    place[0].store(number, ordering: .releasing)
    count.store(number, ordering: .releasing)
  }

  @inlinable
  package func load() -> Value {
    // Any value will do, since it is overwritten: a closure over stack-allocated memory is miscompiled here (Swift
    // 6.3).
    var value = first
    while true {
      let number = count.load(ordering: .acquiring)
      let place = place(of: number)
      let before = place[0].load(ordering: .acquiring)
      withUnsafeMutableBytes(of: &value) { bytes in
        for word in 0..<Self.wordsAValue {
          var eight = place[1 + word].load(ordering: .relaxed)
          (bytes.baseAddress! + word * 8).copyMemory(from: &eight, byteCount: min(8, bytes.count - word * 8))
        }
      }
      atomicMemoryFence(ordering: .acquiring)
      guard before == number, place[0].load(ordering: .relaxed) == number else { continue }
      return value
    }
  }

  @inlinable
  func place(of number: UInt) -> UnsafeMutablePointer<Atomic<UInt>> {
    words + Int(number % UInt(Self.places)) * Self.wordsAPlace
  }

  /// Returns eight bytes of `bytes` as a word, from the byte 8 · `index` on; bytes beyond the end count as 0.
  @inlinable
  static func word(_ index: Int, of bytes: UnsafeRawBufferPointer) -> UInt {
    var word: UInt = 0
    withUnsafeMutableBytes(of: &word) {
      $0.baseAddress!.copyMemory(
        from: bytes.baseAddress! + index * 8, byteCount: min(8, bytes.count - index * 8))
    }
    return word
  }
}
