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

  /// Creates a schedule with room for at least `capacity` values that are not due yet, rounded up to a power of two.
  ///
  /// - Parameter capacity: 1 … 65,536; any other number stops the program.
  public init(capacity: Int = 64) {
    inbox = EventInbox(capacity: capacity)
    waiting = TimeHeap(capacity: inbox.capacity)
  }

  /// The number of values that can wait until the audio thread reads the schedule.
  ///
  /// In addition, the same number of values can wait until they are due, after the audio thread has read them.
  @inlinable
  public var capacity: Int { inbox.capacity }

  /// The number of values that were dropped because the schedule was full.
  @inlinable
  public var dropped: Int { inbox.dropped }

  /// Adds a value; if the schedule is full, counts the value in `dropped` and returns false.
  ///
  /// - Parameters:
  ///   - element: the value.
  ///   - time: when the value is due; by default, as soon as possible.
  @inlinable
  @discardableResult
  public func add(_ element: Element, at time: HostTime = .distantPast) -> Bool {
    inbox.add(element, at: time)
  }

  /// Removes and returns the earliest value that is due at or before `time`; nil if none is due.
  ///
  /// Call it once per frame. If several values may be due at the same frame, call it until it returns nil. Pass
  /// `block.playedTime(frame)` for notes that a player's movement triggers, and `block.time(frame)` for events that
  /// must sound at an exact moment.
  @inlinable
  public func due(at time: HostTime) -> Element? {
    if !inbox.isEmpty { gather() }
    return waiting.removeFirst(dueBy: time)?.element
  }

  /// The time at which the earliest value is due; nil if none waits.
  ///
  /// Read it only on the thread that calls `due(at:)`.
  @inlinable
  public var nextTime: HostTime? {
    if !inbox.isEmpty { gather() }
    return waiting.nextTime
  }

  /// Moves added values from the queue to the heap of waiting values, until the queue is empty or the heap is full.
  ///
  /// The function is inlinable, because the first call of a generic function that is not inlined creates metadata,
  /// which allocates memory.
  @inlinable
  func gather() {
    while waiting.count < waiting.capacity, let event = inbox.receive() {
      _ = waiting.add(event.element, at: event.time)
    }
  }
}
