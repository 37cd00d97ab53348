/// Values on their way to the audio callback, each due at an exact frame.
///
/// Added for a moment that has passed, a value is due at once. They may be added out of order, from several threads;
/// where there is no room, they are counted in `dropped`.
///
/// - Thread: `add` from any number of threads; `due` from one, the audio thread.
/// - Real-time safe: yes, but for `init`.
public final class MoSchedule<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  // Unchecked: the heap belongs to the one thread that asks what is due.
  @usableFromInline let inbox: EventInbox<Element>
  @usableFromInline var waiting: TimeHeap<Element>

  /// A schedule with room for at least `capacity` values that are not due yet, rounded up to a power of two.
  public init(capacity: Int = 64) {
    inbox = EventInbox(capacity: capacity)
    waiting = TimeHeap(capacity: inbox.capacity)
  }

  /// How many values can wait.
  @inlinable
  public var capacity: Int { inbox.capacity }

  /// How many values found no room.
  @inlinable
  public var dropped: Int { inbox.dropped }

  /// Adds a value; false, and counted in `dropped`, where there is no room.
  ///
  /// - Parameter time: when it is due; left out, as soon as it can be.
  @inlinable
  @discardableResult
  public func add(_ element: Element, at time: HostTime = .distantPast) -> Bool {
    inbox.add(element, at: time)
  }

  /// A value due by a moment, the earliest first; nil where none is.
  ///
  /// Ask once a frame, or until nil where several may be due at one. `block.playedTime(frame)` asks for what a hand
  /// played, `block.time(frame)` for what is to be heard at a moment.
  @inlinable
  public func due(at time: HostTime) -> Element? {
    if !inbox.isEmpty { gather() }
    return waiting.removeFirst(dueBy: time)?.element
  }

  /// When the earliest value is due; nil where none waits.
  ///
  /// For the thread that asks what is due.
  @inlinable
  public var nextTime: HostTime? {
    if !inbox.isEmpty { gather() }
    return waiting.nextTime
  }

  /// Moves what was added to the waiting values, as far as there is room.
  ///
  /// Inlinable: the first call of a generic function that is not makes metadata, which allocates.
  @inlinable
  func gather() {
    while waiting.count < waiting.capacity, let event = inbox.receive() {
      _ = waiting.add(event.element, at: event.time)
    }
  }
}
