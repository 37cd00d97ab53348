import Synchronization

/// A bounded queue of timed values: many threads add, one thread receives.
///
/// The queue returns values in the order in which they were added, whatever their times.
///
/// - Source: D. Vyukov, "Bounded MPMC queue", 2010.
/// - Thread: `add` from any number of threads; `receive` from one, the audio thread.
/// - Real-time safe: yes, except for `init`.
@usableFromInline package final class EventInbox<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked: the turn of a cell hands its value over; `head` belongs to the thread that receives.
  /// A value and its time.
  @frozen
  @usableFromInline package struct Event: BitwiseCopyable {
    /// The value.
    @usableFromInline package var element: Element
    /// The time of the value.
    @usableFromInline package var time: HostTime
    @usableFromInline init(element: Element, time: HostTime) {
      self.element = element
      self.time = time
    }
  }

  @usableFromInline let mask: Int
  @usableFromInline let turns: UnsafeMutablePointer<Atomic<Int>>
  @usableFromInline let cells: UnsafeMutablePointer<Event>
  @usableFromInline let tail = Atomic<Int>(0)
  @usableFromInline var head = 0
  @usableFromInline let refused = Atomic<Int>(0)

  /// Creates a queue with room for at least `capacity` values, rounded up to a power of two.
  @usableFromInline package init(capacity: Int) {
    precondition(capacity > 0 && capacity <= 1 << 16, "a queue of events must hold 1 to 65,536 values")
    var size = 1
    while size < capacity { size *= 2 }
    mask = size - 1
    turns = .allocate(capacity: size)
    cells = .allocate(capacity: size)
    for index in 0..<size { (turns + index).initialize(to: Atomic(index)) }
  }

  deinit {
    turns.deinitialize(count: capacity)
    turns.deallocate()
    cells.deallocate()
  }

  /// The number of values that the queue can hold.
  @inlinable
  package var capacity: Int { mask + 1 }

  /// The number of values that were dropped because the queue was full.
  @inlinable
  package var dropped: Int { refused.load(ordering: .relaxed) }

  /// Whether no value is ready; for the receiving thread only.
  @inlinable
  package var isEmpty: Bool { turns[head & mask].load(ordering: .acquiring) != head &+ 1 }

  /// Adds a value; if the queue is full, counts the value in `dropped` and returns false.
  @inlinable
  package func add(_ element: Element, at time: HostTime) -> Bool {
    var ticket = tail.load(ordering: .relaxed)
    while true {
      let cell = ticket & mask
      let turn = turns[cell].load(ordering: .acquiring)
      if turn == ticket {
        let (won, seen) = tail.weakCompareExchange(
          expected: ticket, desired: ticket &+ 1, ordering: .relaxed)
        guard won else {
          ticket = seen
          continue
        }
        cells[cell] = Event(element: element, time: time)
        turns[cell].store(ticket &+ 1, ordering: .releasing)
        return true
      }
      guard turn > ticket else {
        refused.wrappingAdd(1, ordering: .relaxed)
        return false
      }
      ticket = tail.load(ordering: .relaxed)
    }
  }

  /// Returns the value that was added first, or nil if none is ready.
  ///
  /// The function is inlinable, because the first call of a generic function that is not inlined creates metadata,
  /// which allocates memory.
  @inlinable
  package func receive() -> Event? {
    let cell = head & mask
    guard turns[cell].load(ordering: .acquiring) == head &+ 1 else { return nil }
    let event = cells[cell]
    turns[cell].store(head &+ mask &+ 1, ordering: .releasing)
    head &+= 1
    return event
  }
}
