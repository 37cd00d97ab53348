import MoCore
import MoDSP

/// Tells of what is played on an instrument, for playing together with others.
///
/// - Thread: any that plays.
/// - Real-time safe: yes, as far as its closure is.
package final class EventTap: Sendable {
  /// Whoever made it.
  package let maker: any AnyObject & Sendable
  private let body: @Sendable (InstrumentEvent, HostTime, HostTime?) -> Void

  /// - Parameter body: gets each event, when it was played (`distantPast` for now), and when it is to be heard, if that is
  ///   given.
  package init(
    _ maker: any AnyObject & Sendable,
    _ body: @escaping @Sendable (InstrumentEvent, HostTime, HostTime?) -> Void
  ) { (self.maker, self.body) = (maker, body) }

  func tell(_ event: InstrumentEvent, at time: HostTime, heardAt heard: HostTime?) {
    body(event, time, heard)
  }
}

extension InstrumentSlot {
  /// The seat's relay: the one that was made first stays, since some thread may just be in it.
  package func relay(_ make: () -> EventTap) -> EventTap {
    keptRelay.withLock { kept in
      if let kept { return kept }
      let made = make()
      kept = made
      relayPlace.store(UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()), ordering: .releasing)
      return made
    }
  }

  /// Tells the relay, if there is one, of an event.
  ///
  /// - Real-time safe: yes.
  func tellRelay(_ event: InstrumentEvent, at time: HostTime, heardAt heard: HostTime?) {
    guard let place = UnsafeRawPointer(bitPattern: relayPlace.load(ordering: .acquiring)) else { return }
    Unmanaged<EventTap>.fromOpaque(place)._withUnsafeGuaranteedRef {
      $0.tell(event, at: time, heardAt: heard)
    }
  }
}
