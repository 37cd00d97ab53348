import MoCore
import MoDSP
import Synchronization

/// An observer of an instrument: it passes each played event to a closure, which can send the event to other machines.
///
/// - Thread: any thread that plays the instrument.
/// - Real-time safe: yes, if the closure is.
package final class EventTap: Sendable {
  /// The object that created this observer.
  package let maker: any AnyObject & Sendable
  /// Returns whether this observer sends the events to all members of a room, which also play them.
  fileprivate let isShared: @Sendable () -> Bool
  fileprivate let body: @Sendable (InstrumentEvent, HostTime, HostTime?) -> Void

  /// Creates an observer from its closure.
  ///
  /// - Parameters:
  ///   - maker: the object that creates this observer.
  ///   - isShared: returns whether this observer sends the events to all members of a room, which also play them.
  ///   - body: receives each event, its played time and its heard time. The played time is `distantPast` if the event
  ///     is played now. The heard time is nil if the caller gave no heard time.
  package init(
    _ maker: any AnyObject & Sendable, isShared: @escaping @Sendable () -> Bool = { false },
    _ body: @escaping @Sendable (InstrumentEvent, HostTime, HostTime?) -> Void
  ) { (self.maker, self.isShared, self.body) = (maker, isShared, body) }
}

/// The storage of an instrument's `EventTap`, the observer of its events; any thread reads it without a lock.
///
/// The observer is created at most once, and lives as long as the instrument, because another thread may be using it.
///
/// - Thread: any.
struct TapPlace: ~Copyable, Sendable {
  /// A pointer to the observer; 0 for none.
  private let place = Atomic<UInt>(0)
  /// The reference that keeps the observer alive.
  private let kept = Locked<EventTap?>(nil)

  /// Returns the observer; the first call creates it with `make`, and later calls ignore `make`.
  func tap(_ make: () -> EventTap) -> EventTap {
    kept.withLock { kept in
      if let kept { return kept }
      let made = make()
      kept = made
      place.store(UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()), ordering: .releasing)
      return made
    }
  }

  /// Whether the observer sends the events to all members of a room; false if there is no observer.
  var isShared: Bool { kept.withLock { $0 }?.isShared() ?? false }

  /// Passes an event to the observer, if it has been created.
  ///
  /// - Real-time safe: yes.
  func notify(_ event: InstrumentEvent, at time: HostTime, heardAt heard: HostTime?) {
    guard let pointer = UnsafeRawPointer(bitPattern: place.load(ordering: .acquiring)) else { return }
    Unmanaged<EventTap>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.body(event, time, heard) }
  }
}
