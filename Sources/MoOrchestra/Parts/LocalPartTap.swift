import MoCore
import MoInstruments
import Synchronization

/// Something that was played here.
struct LocalEvent: Sendable, BitwiseCopyable {
  var event: InstrumentEvent
  /// When it was played, or is to be heard.
  var time: HostTime
  /// Whether `time` is when it is to be heard, whatever the grid.
  var isHeard = false
}

/// Collects the notes and strokes of a shared instrument, for the room.
///
/// They sound here as ever, and do not wait for the network.
///
/// - Thread: `add` on any; `next` and `isEmpty` on one.
/// - Real-time safe: yes.
final class LocalPartTap: Sendable {
  private let played = MoSchedule<LocalEvent>(capacity: 256)
  private let isOpen = Atomic<Bool>(false)
  private let forTapes = Atomic<Bool>(false)
  private let clock: any TimeSource

  init(clock: any TimeSource) { self.clock = clock }

  /// Whether it collects for tapes alone: that ends as soon as it collects for the room.
  var isForTapes: Bool { forTapes.load(ordering: .acquiring) }

  /// Begins to collect; false if it does so already.
  ///
  /// - Parameter forTapes: whether for tapes alone.
  func open(forTapes isForTapes: Bool = false) -> Bool {
    let isNew = isOpen.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
      .exchanged
    guard !isNew else {
      forTapes.store(isForTapes, ordering: .releasing)
      return true
    }
    return !isForTapes && forTapes.exchange(false, ordering: .acquiringAndReleasing)
  }

  func close() { isOpen.store(false, ordering: .releasing) }

  /// Takes an event that was played; what the room is not told of is left out.
  ///
  /// - Parameters:
  ///   - time: when it was played; `distantPast` for now.
  ///   - heard: when it is to be heard, in place of `time`.
  func add(_ event: InstrumentEvent, at time: HostTime, heardAt heard: HostTime?) {
    guard isOpen.load(ordering: .acquiring) else { return }
    switch event {
    case .noteOn, .strike, .noteOff, .allOff:
      let played = heard ?? (time == .distantPast ? clock.now : time)
      self.played.add(LocalEvent(event: event, time: played, isHeard: heard != nil))
    case .noteMove, .bend, .motion, .line, .rhythm: break
    }
  }

  /// What waits to be told, in any order; nil for nothing.
  func next() -> LocalEvent? { played.due(at: .distantFuture) }

  /// Whether nothing waits to be told.
  var isEmpty: Bool { played.nextTime == nil }
}
