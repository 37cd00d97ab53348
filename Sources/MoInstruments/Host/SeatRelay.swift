import MoDSP
import MoTime

/// Catches what is played on an instrument on its way to the sound, for playing together with others.
///
/// - Thread: any that plays.
/// - Real-time safe: yes, as far as its closure is.
package final class SeatRelay: Sendable {
  /// Whoever made it.
  package let maker: any AnyObject & Sendable
  private let body: @Sendable (InstrumentEvent, HostTime) -> Bool

  /// - Parameter body: whether it sees to an event; false where the event is to sound at its moment, as ever.
  package init(
    _ maker: any AnyObject & Sendable, _ body: @escaping @Sendable (InstrumentEvent, HostTime) -> Bool
  ) { (self.maker, self.body) = (maker, body) }

  func take(_ event: InstrumentEvent, at time: HostTime) -> Bool { body(event, time) }
}

extension Seat {
  /// The seat's relay: the one that was made first stays, since some thread may just be in it.
  package func relay(_ make: () -> SeatRelay) -> SeatRelay {
    keptRelay.withLock { kept in
      if let kept { return kept }
      let made = make()
      kept = made
      relayPlace.store(UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()), ordering: .releasing)
      return made
    }
  }

  /// Whether the relay, if there is one, sees to an event.
  ///
  /// - Real-time safe: yes.
  func relays(_ event: InstrumentEvent, at time: HostTime) -> Bool {
    guard let place = UnsafeRawPointer(bitPattern: relayPlace.load(ordering: .acquiring)) else {
      return false
    }
    return Unmanaged<SeatRelay>.fromOpaque(place)._withUnsafeGuaranteedRef { $0.take(event, at: time) }
  }
}
