import MoCore
import MoDSP
import Synchronization

/// The queue of an instrument's events for the audio thread.
///
/// - Thread: `add`, `refuse`, `refused` and `capacity` from any; the rest on the rendering thread.
/// - Real-time safe: yes.
package struct SlotInbox: ~Copyable, Sendable {
  /// The events, in the order in which they were added; only the rendering thread may receive them.
  let queue = EventInbox<SlotMessage>(capacity: 512)
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
  package func add(_ event: SlotEvent, played: HostTime, heard: HostTime?) -> Bool {
    if queue.add(SlotMessage(event: event, isHeard: heard != nil), at: heard ?? played) { return true }
    switch event {
    case .event(.noteOff), .event(.allOff): hasLostEnd.store(true, ordering: .releasing)
    default: break
    }
    return false
  }

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

/// A message to an instrument: an event, or a new value of a parameter or of the level.
@usableFromInline
package enum SlotEvent: Sendable, BitwiseCopyable {
  case event(InstrumentEvent)
  case set(index: Int32, value: Float)
  /// A new level of the instrument in the mix, 0 … 1; see `InstrumentHandle.setLevel`.
  case level(Float)
}

/// A message to the audio thread; `isHeard` says whether the message's time, which the queue stores, is a heard or a
/// played time.
struct SlotMessage: Sendable, BitwiseCopyable {
  var event: SlotEvent
  /// Whether the time of the message is the time at which the event must be heard; if false, it is the event's played
  /// time.
  var isHeard: Bool
}

extension InstrumentEvent {
  /// The event with its numbers clamped to their ranges; nil if the event is invalid.
  ///
  /// An event is invalid if a number is NaN, if a number of a bend or motion is infinite, or if the force of a strike
  /// is not above 0. A `noteOn` with a velocity of 0 becomes a `noteOff`.
  package var cleaned: InstrumentEvent? {
    switch self {
    case .noteOn(let note):
      guard let note = note.cleaned else { return nil }
      return note.velocity > 0 ? .noteOn(note) : .noteOff(note)
    case .noteOff(let note): return note.cleaned.map { .noteOff($0) }
    case .noteMove(let note): return note.cleaned.map { .noteMove($0) }
    case .strike(let force): return force > 0 ? .strike(min(force, 1)) : nil
    case .bend(let semitones): return semitones.isFinite ? .bend(max(-24, min(semitones, 24))) : nil
    case .motion(let motion): return motion.isFinite ? self : nil
    case .line, .rhythm, .allOff: return self
    }
  }
}

extension Note {
  /// The note with its pitch clamped to 0 … 127 and its velocity to 0 … 1; nil if the pitch or the velocity is NaN.
  package var cleaned: Note? {
    guard !pitch.isNaN, !velocity.isNaN else { return nil }
    return Note(max(0, min(pitch, 127)), velocity: max(0, min(velocity, 1)), id: id)
  }
}

extension Motion {
  /// Whether every number in the motion is finite.
  var isFinite: Bool {
    // The difference of a non-finite number with itself is NaN.
    let sum = x + y + z + tilt.pitch + tilt.roll + activity + energy + (strike ?? 0) + (tap ?? 0)
    return (sum - sum) == 0
  }
}
