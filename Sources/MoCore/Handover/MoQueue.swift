import Synchronization

/// A queue from one thread to another, most often into or out of the audio callback.
///
/// The queue is a ring of fixed capacity with an atomic index at each end: neither side ever waits for the other.
///
/// - Thread: one thread pushes, and one thread pops. Another thread may take over only after it has
///   synchronised with the earlier thread, for example by `join()` or a lock.
/// - Real-time safe: yes, except for `init`.
public final class MoQueue<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked: the ring's memory is plain. A slot belongs to the producer until `tail` passes it, and to the consumer
  // until `head` does. Acquire and release on the two indices hand it over.
  @usableFromInline let slots: UnsafeMutablePointer<Element>
  @usableFromInline let mask: Int
  @usableFromInline let head = Atomic<Int>(0)
  @usableFromInline let tail = Atomic<Int>(0)
  @usableFromInline let refused = Atomic<Int>(0)

  /// Creates a queue with room for at least `capacity` elements, rounded up to a power of two.
  ///
  /// - Parameter capacity: 1 … 16,777,216; any other number stops the program.
  public init(capacity: Int) {
    precondition(capacity > 0 && capacity <= 1 << 24, "a queue must hold 1 to 16,777,216 elements")
    var size = 1
    while size < capacity { size *= 2 }
    slots = .allocate(capacity: size)
    mask = size - 1
  }

  deinit { slots.deallocate() }

  /// The number of elements that the queue can hold.
  public var capacity: Int { mask + 1 }

  /// The number of elements in the queue.
  ///
  /// The other thread can change the number at any time. So the thread that pops finds at least this number of
  /// elements, and the thread that pushes finds at most this number of elements.
  @inlinable
  public var count: Int { tail.load(ordering: .acquiring) &- head.load(ordering: .acquiring) }

  /// The number of elements that were not pushed because the queue was full.
  @inlinable
  public var dropped: Int { refused.load(ordering: .relaxed) }

  /// Appends an element; if the queue is full, counts the element in `dropped` and returns false.
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

  /// Appends a block of elements; if not all fit, counts all in `dropped`, appends none and returns false.
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

  /// Pops the oldest elements into `block`, until the queue is empty or `block` is full; returns their number.
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

  /// Pops the oldest element; nil if the queue is empty.
  @inlinable
  public func pop() -> Element? {
    let start = head.load(ordering: .relaxed)
    guard start != tail.load(ordering: .acquiring) else { return nil }
    let element = slots[start & mask]
    head.store(start &+ 1, ordering: .releasing)
    return element
  }

  /// Returns the oldest element without removing it, or nil if the queue is empty.
  ///
  /// Call it only on the thread that pops.
  @inlinable
  public func peek() -> Element? {
    let start = head.load(ordering: .relaxed)
    guard start != tail.load(ordering: .acquiring) else { return nil }
    return slots[start & mask]
  }
}
