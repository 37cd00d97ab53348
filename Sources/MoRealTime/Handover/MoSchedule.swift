import MoTime
import Synchronization

/// Values on their way to the audio callback, each due at an exact frame.
///
/// Added for a moment that has passed, a value is due at once. They may be added out of order, from several threads;
/// where there is no room, they are counted in `dropped`.
///
/// - Thread: `add` from any number of threads; `due` from one, the audio thread.
/// - Real-time safe: yes, but for `init`.
public final class MoSchedule<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked: a cell's value is handed over by its turn (D. Vyukov, "Bounded MPMC queue", 2010); the waiting list
  // belongs to the one thread that asks what is due.
  @usableFromInline struct Event: BitwiseCopyable {
    @usableFromInline var element: Element
    @usableFromInline var time: HostTime
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
  @usableFromInline let waiting: UnsafeMutablePointer<Event>
  @usableFromInline var waitingCount = 0
  @usableFromInline var earliest = HostTime.distantFuture
  @usableFromInline let refused = Atomic<Int>(0)

  /// A schedule with room for at least `capacity` values that are not due yet, rounded up to a power of two.
  ///
  /// Each asking costs up to `capacity` steps when something is due, so hundreds rather than thousands.
  public init(capacity: Int = 64) {
    precondition(capacity > 0 && capacity <= 1 << 16, "a schedule holds 1 to 65,536 values")
    var size = 1
    while size < capacity { size *= 2 }
    mask = size - 1
    turns = .allocate(capacity: size)
    cells = .allocate(capacity: size)
    waiting = .allocate(capacity: size)
    for index in 0..<size { (turns + index).initialize(to: Atomic(index)) }
  }

  deinit {
    turns.deinitialize(count: capacity)
    turns.deallocate()
    cells.deallocate()
    waiting.deallocate()
  }

  /// How many values can wait.
  @inlinable
  public var capacity: Int { mask + 1 }

  /// How many values found no room.
  @inlinable
  public var dropped: Int { refused.load(ordering: .relaxed) }

  /// Adds a value; false, and counted in `dropped`, where there is no room.
  ///
  /// - Parameter time: when it is due; left out, as soon as it can be.
  @inlinable
  @discardableResult
  public func add(_ element: Element, at time: HostTime = .distantPast) -> Bool {
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

  /// A value due by a moment, the earliest first; nil where none is.
  ///
  /// Ask once a frame, or until nil where several may be due at one.
  @inlinable
  public func due(at time: HostTime) -> Element? {
    if turns[head & mask].load(ordering: .acquiring) == head &+ 1 { gather() }
    guard waitingCount > 0 && earliest <= time else { return nil }
    return takeEarliest()
  }

  /// When the earliest value is due; nil where none waits.
  ///
  /// For the thread that asks what is due.
  @inlinable
  public var nextTime: HostTime? {
    if turns[head & mask].load(ordering: .acquiring) == head &+ 1 { gather() }
    return waitingCount > 0 ? earliest : nil
  }

  /// Moves what was added to the waiting list, as far as there is room.
  ///
  /// Inlinable, as is `takeEarliest`: the first call of a generic function that is not makes metadata, which allocates.
  @inlinable
  func gather() {
    while waitingCount <= mask {
      let cell = head & mask
      guard turns[cell].load(ordering: .acquiring) == head &+ 1 else { return }
      let event = cells[cell]
      turns[cell].store(head &+ mask &+ 1, ordering: .releasing)
      head &+= 1
      waiting[waitingCount] = event
      waitingCount &+= 1
      if event.time < earliest { earliest = event.time }
    }
  }

  @inlinable
  func takeEarliest() -> Element {
    var best = 0
    for index in 0..<waitingCount where waiting[index].time < waiting[best].time { best = index }
    let element = waiting[best].element
    // Those behind move up: values for the same moment stay in the order they were added.
    waitingCount &-= 1
    for index in best..<waitingCount { waiting[index] = waiting[index + 1] }
    earliest = .distantFuture
    for index in 0..<waitingCount where waiting[index].time < earliest { earliest = waiting[index].time }
    return element
  }
}
