import Synchronization

/// A queue of values for the audio callback, each due at an exact frame.
///
/// A value that is added for a moment in the past is due immediately. Values may be added out of order, from several
/// threads. Values for which there is no room are discarded, and counted in `dropped`.
///
/// - Thread: `add` from any number of threads; `due` from one, the audio thread.
/// - Real-time safe: yes, except for `init`.
public final class MoSchedule<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked: the heap belongs to the thread that calls `due(at:)`.
  @usableFromInline let inbox: EventInbox<Element>
  @usableFromInline var waiting: TimeHeap<Element>
  /// The largest number of values in the inbox and the heap together, for which the heap has room.
  ///
  /// Without this limit, a full heap would hold back the values in the inbox, also values that are due.
  @usableFromInline let most: Int
  /// The number of values in the inbox and the heap; during a call of `add`, also the value that is being added.
  @usableFromInline let held = Atomic<Int>(0)
  @usableFromInline let refused = Atomic<Int>(0)

  /// Creates a schedule with room for at least `capacity` values that are not due yet, rounded up to a power of two.
  ///
  /// - Parameter capacity: 1 … 65,536; any other number stops the program.
  public init(capacity: Int = 64) {
    inbox = EventInbox(capacity: capacity)
    most = 2 * inbox.capacity
    waiting = TimeHeap(capacity: most)
  }

  /// The number of values that can wait until the audio thread reads the schedule.
  ///
  /// The total number of values that wait, whether the audio thread has read them or not, is at most 2 · `capacity`.
  @inlinable
  public var capacity: Int { inbox.capacity }

  /// The number of values that were dropped because the schedule was full.
  @inlinable
  public var dropped: Int { inbox.dropped + refused.load(ordering: .relaxed) }

  /// Adds a value; if the schedule is full, counts the value in `dropped` and returns false.
  ///
  /// - Parameters:
  ///   - element: the value.
  ///   - time: when the value is due; by default, as soon as possible.
  @inlinable
  @discardableResult
  public func add(_ element: Element, at time: HostTime = .distantPast) -> Bool {
    guard held.wrappingAdd(1, ordering: .relaxed).oldValue < most else {
      held.wrappingSubtract(1, ordering: .relaxed)
      refused.wrappingAdd(1, ordering: .relaxed)
      return false
    }
    if inbox.add(element, at: time) { return true }
    held.wrappingSubtract(1, ordering: .relaxed)
    return false
  }

  /// Removes and returns the earliest value that is due at or before `time`; nil if none is due.
  ///
  /// Call it once per frame. If several values may be due at the same frame, call it until it returns nil. Pass
  /// `block.playedTime(frame)` for notes that a player's movement triggers, and `block.time(frame)` for events that
  /// must sound at an exact moment.
  @inlinable
  public func due(at time: HostTime) -> Element? {
    if !inbox.isEmpty { gather() }
    guard let first = waiting.removeFirst(dueBy: time) else { return nil }
    held.wrappingSubtract(1, ordering: .relaxed)
    return first.element
  }

  /// The time at which the earliest value is due; nil if none waits.
  ///
  /// Read it only on the thread that calls `due(at:)`.
  @inlinable
  public var nextTime: HostTime? {
    if !inbox.isEmpty { gather() }
    return waiting.nextTime
  }

  /// Moves added values from the inbox to the heap of waiting values, until the inbox is empty.
  ///
  /// The function is inlinable, because the first call of a generic function that is not inlined creates metadata,
  /// which allocates memory.
  @inlinable
  func gather() {
    while let event = inbox.receive() { _ = waiting.add(event.element, at: event.time) }
  }
}
