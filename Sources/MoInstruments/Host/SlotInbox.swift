import MoCore
import MoDSP
import Synchronization

/// A message to an instrument: an event, or a new value of a parameter.
@usableFromInline
package enum SlotEvent: Sendable, BitwiseCopyable {
  case event(InstrumentEvent)
  case set(index: Int32, value: Float)
}

/// A message to the audio thread, with the kind of its time.
struct SlotMessage: Sendable, BitwiseCopyable {
  var event: SlotEvent
  /// Whether its time is when it must be heard; otherwise it is when it was played.
  var isHeard: Bool
}

/// The events on their way to the audio thread.
///
/// - Thread: `add`, `refuse` and the counts from any; the rest on the rendering thread.
/// - Real-time safe: yes.
struct SlotInbox: ~Copyable, Sendable {
  private let queue = EventInbox<SlotMessage>(capacity: 512)
  private let hasLostEnd = Atomic<Bool>(false)
  private let refusals = Atomic<Int>(0)

  /// The number of refused events and values: NaN, or a full queue.
  var refused: Int { refusals.load(ordering: .relaxed) + queue.dropped }

  /// The number of events that it can hold.
  var capacity: Int { queue.capacity }

  /// Counts refused events.
  func refuse(_ count: Int = 1) { refusals.wrappingAdd(count, ordering: .relaxed) }

  /// Adds an event; returns false, and counts it, if the queue is full.
  ///
  /// If the release of a note finds the queue full, `takeLostEnd` says so, and the next block releases all notes. So none
  /// sounds forever.
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

  /// Returns whether the end of a note was lost since the last call.
  func takeLostEnd() -> Bool { hasLostEnd.exchange(false, ordering: .acquiring) }

  /// Discards all events.
  func removeAll() {
    while queue.receive() != nil {}
  }

  /// Moves the events of another inbox to this one; parameters stay behind.
  func inherit(_ other: borrowing SlotInbox) {
    while let message = other.queue.receive() {
      if case .event = message.element.event { _ = queue.add(message.element, at: message.time) }
    }
  }
}
