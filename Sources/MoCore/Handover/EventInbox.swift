import Synchronization

/// A bounded queue of timed values: many threads add, one receives.
///
/// Values leave in the order in which they were added, whatever their times.
///
/// - Source: D. Vyukov, "Bounded MPMC queue", 2010.
/// - Thread: `add` from any number of threads; `receive` from one, the audio thread.
/// - Real-time safe: yes, but for `init`.
public final class EventInbox<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked: a cell's value is handed over by its turn; `head` belongs to the one thread that receives.
  /// A value and its time.
  @frozen
  public struct Event: BitwiseCopyable {
    /// The value.
    public var element: Element
    /// Its time.
    public var time: HostTime
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

  /// A queue with room for at least `capacity` values, rounded up to a power of two.
  public init(capacity: Int) {
    precondition(capacity > 0 && capacity <= 1 << 16, "a queue of events holds 1 to 65,536 values")
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

  /// How many values it can hold.
  @inlinable
  public var capacity: Int { mask + 1 }

  /// How many values found no room.
  @inlinable
  public var dropped: Int { refused.load(ordering: .relaxed) }

  /// Whether no value is ready to be received; for the thread that receives.
  @inlinable
  public var isEmpty: Bool { turns[head & mask].load(ordering: .acquiring) != head &+ 1 }

  /// Adds a value; false, and counted in `dropped`, if there is no room.
  @inlinable
  public func add(_ element: Element, at time: HostTime) -> Bool {
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

  /// The value that was added first, or nil if none is ready.
  ///
  /// Inlinable: the first call of a generic function that is not makes metadata, which allocates.
  @inlinable
  public func receive() -> Event? {
    let cell = head & mask
    guard turns[cell].load(ordering: .acquiring) == head &+ 1 else { return nil }
    let event = cells[cell]
    turns[cell].store(head &+ mask &+ 1, ordering: .releasing)
    head &+= 1
    return event
  }
}
