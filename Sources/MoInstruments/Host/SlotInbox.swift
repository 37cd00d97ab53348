import MoCore
import MoDSP
import Synchronization

/// A message to an instrument: an event, or a new value of a parameter.
@usableFromInline
package enum SlotEvent: Sendable, BitwiseCopyable {
  case event(InstrumentEvent)
  case set(index: Int32, value: Float)
}

/// A message to the audio thread; `isHeard` says whether the message's time, which the queue stores, is a heard or a
/// played time.
struct SlotMessage: Sendable, BitwiseCopyable {
  var event: SlotEvent
  /// Whether the time of the message is the time at which the event must be heard; if false, it is the event's played
  /// time.
  var isHeard: Bool
}

/// The queue of an instrument's events for the audio thread.
///
/// - Thread: `add`, `refuse`, `refused` and `capacity` from any; the rest on the rendering thread.
/// - Real-time safe: yes.
struct SlotInbox: ~Copyable, Sendable {
  private let queue = EventInbox<SlotMessage>(capacity: 512)
  private let hasLostEnd = Atomic<Bool>(false)
  private let refusals = Atomic<Int>(0)

  /// The number of events and values that were refused: invalid numbers, a strike without force, or a full queue.
  var refused: Int { refusals.load(ordering: .relaxed) + queue.dropped }

  /// The number of events that the inbox can hold.
  var capacity: Int { queue.capacity }

  /// Adds `count` to the number of refused events and values.
  func refuse(_ count: Int = 1) { refusals.wrappingAdd(count, ordering: .relaxed) }

  /// Adds an event with its heard time or, if `heard` is nil, its played time; if the queue is full, counts the event
  /// as refused and returns false.
  ///
  /// If the release of a note does not fit into the queue, `takeLostEnd` returns true, and the next block releases all
  /// notes. So no note sounds forever.
  func add(_ event: SlotEvent, played: HostTime, heard: HostTime?) -> Bool {
    if queue.add(SlotMessage(event: event, isHeard: heard != nil), at: heard ?? played) { return true }
    switch event {
    case .event(.noteOff), .event(.allOff): hasLostEnd.store(true, ordering: .releasing)
    default: break
    }
    return false
  }

  /// Removes and returns the oldest event; nil if there is none.
  func receive() -> EventInbox<SlotMessage>.Event? { queue.receive() }

  /// Returns whether, since the last call of this function, the release of a note was lost because the queue was full.
  func takeLostEnd() -> Bool { hasLostEnd.exchange(false, ordering: .acquiring) }

  /// Discards all events.
  func removeAll() {
    while queue.receive() != nil {}
  }

  /// Moves the events of another inbox to this inbox, and discards the parameter changes in the other inbox.
  func inherit(_ other: borrowing SlotInbox) {
    while let message = other.queue.receive() {
      if case .event = message.element.event { _ = queue.add(message.element, at: message.time) }
    }
  }
}
