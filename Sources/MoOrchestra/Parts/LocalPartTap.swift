import MoCore
import MoInstruments
import Synchronization

/// An event that was played on an instrument of this machine.
package struct LocalEvent: Sendable, BitwiseCopyable {
  var event: InstrumentEvent
  /// The time at which the event was played; if `isHeard` is true, the time at which the event is to sound.
  package var time: HostTime
  /// Whether `time` is the time at which the event is to sound, regardless of the grid.
  var isHeard = false

  package init(event: InstrumentEvent, time: HostTime, isHeard: Bool = false) {
    (self.event, self.time, self.isHeard) = (event, time, isHeard)
  }
}

/// A queue of the notes and strikes that are played on an instrument; the input loop sends them from here to other
/// members.
///
/// The notes and strikes sound on this machine without waiting for the network. If a thread other than the audio thread
/// adds an event, `add` wakes the input loop (`EventLoop`). In an audio callback, `add` cannot wake the loop, since a
/// callback must not call the system. So after the first event from an audio callback, the loop checks for events every
/// 10 ms.
///
/// - Thread: `add` on any; `next` and `isEmpty` on one thread at a time.
/// - Real-time safe: yes.
package final class LocalPartTap: Sendable {
  private let played = MoSchedule<LocalEvent>(capacity: 256)
  private let forAll = Atomic<Bool>(false)
  private let forTapes = Atomic<Bool>(false)
  private let hasCallback = Atomic<Bool>(false)
  /// Whether the end of a note was lost, because the queue was full.
  private let hasLostEnd = Atomic<Bool>(false)
  private let clock: any TimeSource
  private let wake: @Sendable () -> Void

  /// Nanoseconds between two checks for events, after an audio callback has added an event.
  private static let checkInterval: Int64 = 10_000_000
  /// Nanoseconds between two checks for events, as long as no audio callback has added an event.
  private static let firstCheckInterval: Int64 = 500_000_000

  /// - Parameter wake: wakes the input loop, which then checks for events; not called in an audio callback.
  package init(clock: any TimeSource, wake: @escaping @Sendable () -> Void) {
    (self.clock, self.wake) = (clock, wake)
  }

  /// Creates a queue that wakes the input loop of `run` when an event is added.
  convenience init(_ run: Run) {
    self.init(clock: run.clock) { [weak run] in run?.input.wakeUp() }
  }

  /// Whether the queue collects events only for the members that record a tape, and not for all members of the room.
  var isForTapes: Bool { forTapes.load(ordering: .acquiring) && !isShared }

  /// Whether the queue collects events for all members of the room.
  package var isShared: Bool { forAll.load(ordering: .acquiring) }

  /// Starts to collect events; returns false if the queue already collects them for the same receivers.
  ///
  /// While the queue collects for all members, members that record a tape are among the receivers.
  ///
  /// - Parameter forTapes: whether to collect for members that record a tape; if false, for all members.
  package func open(forTapes isForTapes: Bool = false) -> Bool { !setOpen(true, forTapes: isForTapes) }

  /// Ends the collection of events for the same receivers that `open` had.
  package func close(forTapes isForTapes: Bool = false) { _ = setOpen(false, forTapes: isForTapes) }

  /// Starts or ends the collection of events; returns whether the queue collected them before.
  private func setOpen(_ isOpen: Bool, forTapes isForTapes: Bool) -> Bool {
    isForTapes
      ? forTapes.exchange(isOpen, ordering: .acquiringAndReleasing)
      : forAll.exchange(isOpen, ordering: .acquiringAndReleasing)
  }

  /// Adds a played event; drops events that are not sent to the room, such as bends.
  ///
  /// If the end of a note does not fit into the queue, `next` returns an `allOff` after the other events. So no note
  /// sounds forever at the other members. A note that is to sound later is then not sent.
  ///
  /// - Parameters:
  ///   - time: the time at which the event was played; `distantPast` for now.
  ///   - heard: the time at which the event is to sound, in place of `time`; nil for none.
  package func add(_ event: InstrumentEvent, at time: HostTime, heardAt heard: HostTime?) {
    guard isShared || isForTapes else { return }
    switch event {
    case .noteOn, .strike, .noteOff, .allOff:
      let played = heard ?? (time == .distantPast ? clock.now : time)
      let isAdded = self.played.add(LocalEvent(event: event, time: played, isHeard: heard != nil))
      if !isAdded, event.isEnd { hasLostEnd.store(true, ordering: .releasing) }
      if RealTimeCheck.isInCallback { hasCallback.store(true, ordering: .relaxed) } else { wake() }
    case .noteMove, .bend, .motion, .line, .rhythm: break
    }
  }

  /// Removes and returns the waiting event that was added first; nil if there is none.
  package func next() -> LocalEvent? {
    if let event = played.due(at: .distantFuture) { return event }
    guard hasLostEnd.exchange(false, ordering: .acquiring) else { return nil }
    return LocalEvent(event: .allOff, time: clock.now)
  }

  /// Returns the time of the next check for events, after a check at `now`.
  package func nextCheck(after now: HostTime) -> HostTime {
    now.advanced(
      byNanoseconds: hasCallback.load(ordering: .relaxed) ? Self.checkInterval : Self.firstCheckInterval)
  }

  /// Whether no event waits to be sent.
  package var isEmpty: Bool { played.nextTime == nil && !hasLostEnd.load(ordering: .acquiring) }
}

extension InstrumentEvent {
  /// Whether the event ends a note or all notes.
  var isEnd: Bool {
    switch self {
    case .noteOff, .allOff: true
    default: false
    }
  }
}
