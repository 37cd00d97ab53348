import MoCore
import MoDSP

/// Reports the events that are played on an instrument, for playing together with other machines.
///
/// - Thread: any thread that plays.
/// - Real-time safe: yes, if its closure is.
package final class EventTap: Sendable {
  /// The object that created the relay.
  package let maker: any AnyObject & Sendable
  private let body: @Sendable (InstrumentEvent, HostTime, HostTime?) -> Void

  /// - Parameter body: receives each event, the time at which it was played (`distantPast` for now), and
  ///   the time at which it must be heard, if given.
  package init(
    _ maker: any AnyObject & Sendable,
    _ body: @escaping @Sendable (InstrumentEvent, HostTime, HostTime?) -> Void
  ) { (self.maker, self.body) = (maker, body) }

  func tell(_ event: InstrumentEvent, at time: HostTime, heardAt heard: HostTime?) {
    body(event, time, heard)
  }
}

extension InstrumentSlot {
  /// Returns the seat's relay, creating it on the first call; it is kept, because a thread may still be
  /// using it.
  package func relay(_ make: () -> EventTap) -> EventTap {
    keptRelay.withLock { kept in
      if let kept { return kept }
      let made = make()
      kept = made
      relayPlace.store(UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()), ordering: .releasing)
      return made
    }
  }

  /// Passes an event to the relay, if there is one.
  ///
  /// - Real-time safe: yes.
  func tellRelay(_ event: InstrumentEvent, at time: HostTime, heardAt heard: HostTime?) {
    guard let place = UnsafeRawPointer(bitPattern: relayPlace.load(ordering: .acquiring)) else { return }
    Unmanaged<EventTap>.fromOpaque(place)._withUnsafeGuaranteedRef {
      $0.tell(event, at: time, heardAt: heard)
    }
  }
}
