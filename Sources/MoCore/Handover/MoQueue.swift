import Synchronization

/// A queue from one thread to one other, most often into or out of the audio callback.
///
/// A ring of fixed capacity with an atomic index at each end: neither side ever waits for the other.
///
/// - Thread: one thread pushes, one pops; which ones they are may change only with a happens-before between.
/// - Real-time safe: yes, but for `init`.
public final class MoQueue<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked: the ring's memory is plain. A slot belongs to the producer until `tail` passes it and to the
  // consumer until `head` does; the acquire and release on the two indices hand it over.
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  @usableFromInline let mask: Int
  @usableFromInline let head = Atomic<Int>(0)
  @usableFromInline let tail = Atomic<Int>(0)
  @usableFromInline let refused = Atomic<Int>(0)

  /// A queue with room for at least `capacity` elements, rounded up to a power of two.
  public init(capacity: Int) {
    precondition(capacity > 0 && capacity <= 1 << 24, "a queue holds 1 to 16,777,216 elements")
    var size = 1
    while size < capacity { size *= 2 }
    slots = .allocate(capacity: size)
    mask = size - 1
  }

  deinit { slots.deallocate() }

  /// How many elements it can hold.
  public var capacity: Int { mask + 1 }

  /// How many are waiting; a lower bound for the consumer, an upper one for the producer.
  @inlinable
  public var count: Int { tail.load(ordering: .acquiring) &- head.load(ordering: .acquiring) }

  /// How many pushes found it full.
  @inlinable
  public var dropped: Int { refused.load(ordering: .relaxed) }

  /// Puts an element at the end; false, and counted in `dropped`, where there is no room.
  @inlinable
  @discardableResult
  public func push(_ element: Element) -> Bool {
    let end = tail.load(ordering: .relaxed)
    guard end &- head.load(ordering: .acquiring) <= mask else {
      refused.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    slots[end & mask] = element
    tail.store(end &+ 1, ordering: .releasing)
    return true
  }

  /// Puts a block of elements at the end with one copy; false, and none of them taken, where there is not room for all.
  package func push(contentsOf block: UnsafeBufferPointer<Element>) -> Bool {
    let end = tail.load(ordering: .relaxed)
    guard block.count <= mask &+ 1 &- (end &- head.load(ordering: .acquiring)) else {
      refused.wrappingAdd(block.count, ordering: .relaxed)
      return false
    }
    guard let source = block.baseAddress else { return true }
    let slot = end & mask
    let first = min(block.count, mask &+ 1 &- slot)
    (slots + slot).update(from: source, count: first)
    slots.update(from: source + first, count: block.count &- first)
    tail.store(end &+ block.count, ordering: .releasing)
    return true
  }

  /// Takes as many of the oldest elements as there are and fit; how many.
  package func pop(into block: UnsafeMutableBufferPointer<Element>) -> Int {
    let start = head.load(ordering: .relaxed)
    let count = min(block.count, tail.load(ordering: .acquiring) &- start)
    guard count > 0, let target = block.baseAddress else { return 0 }
    let slot = start & mask
    let first = min(count, mask &+ 1 &- slot)
    target.update(from: slots + slot, count: first)
    (target + first).update(from: slots, count: count &- first)
    head.store(start &+ count, ordering: .releasing)
    return count
  }

  /// Takes the oldest element, or nil where none waits.
  @inlinable
  public func pop() -> Element? {
    let start = head.load(ordering: .relaxed)
    guard start != tail.load(ordering: .acquiring) else { return nil }
    let element = slots[start & mask]
    head.store(start &+ 1, ordering: .releasing)
    return element
  }

  /// The oldest element, left where it is, or nil where none waits; for the consumer.
  @inlinable
  public func peek() -> Element? {
    let start = head.load(ordering: .relaxed)
    guard start != tail.load(ordering: .acquiring) else { return nil }
    return slots[start & mask]
  }
}
