import MoCore
import MoDSP
import Synchronization

/// Reports the events that are played on an instrument, for playing together with other machines.
///
/// - Thread: any thread that plays.
/// - Real-time safe: yes, if its closure is.
package final class EventTap: Sendable {
  /// The object that created the tap.
  package let maker: any AnyObject & Sendable
  private let body: @Sendable (InstrumentEvent, HostTime, HostTime?) -> Void

  /// - Parameter body: receives each event, the time at which it was played (`distantPast` for now), and
  ///   the time at which it must be heard, if given.
  package init(
    _ maker: any AnyObject & Sendable,
    _ body: @escaping @Sendable (InstrumentEvent, HostTime, HostTime?) -> Void
  ) { (self.maker, self.body) = (maker, body) }

  fileprivate func tell(_ event: InstrumentEvent, at time: HostTime, heardAt heard: HostTime?) {
    body(event, time, heard)
  }
}

/// The tap of an instrument, created once and never released before the instrument: a thread may still be using it.
///
/// - Thread: any.
struct TapPlace: ~Copyable, Sendable {
  /// A pointer to the tap; 0 for none.
  private let place = Atomic<UInt>(0)
  /// The reference that keeps the tap alive.
  private let kept = Locked<EventTap?>(nil)

  /// Returns the tap, creating it on the first call.
  func tap(_ make: () -> EventTap) -> EventTap {
    kept.withLock { kept in
      if let kept { return kept }
      let made = make()
      kept = made
      place.store(UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()), ordering: .releasing)
      return made
    }
  }

  /// Passes an event to the tap, if there is one.
  ///
  /// - Real-time safe: yes.
  func tell(_ event: InstrumentEvent, at time: HostTime, heardAt heard: HostTime?) {
    guard let pointer = UnsafeRawPointer(bitPattern: place.load(ordering: .acquiring)) else { return }
    Unmanaged<EventTap>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
      $0.tell(event, at: time, heardAt: heard)
    }
  }
}
