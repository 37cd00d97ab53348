import MoCore
import MoMu

/// Discards the events that a bus receives in a run without sound (`--audio none`), fifty times per second.
///
/// Offline, `nextTime` is nil, and events are discarded only when another source is due. This way the source does not
/// delay the end of the run: an offline run without sound ends when no source has an event left.
final class NullRenderer: EventSource, @unchecked Sendable {
  // Unchecked: `nextTime` belongs to the thread that services.
  let name = "silent instruments"
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private let bus: InstrumentBus

  /// Creates the source for a bus.
  ///
  /// - Parameter start: the time at which events are first discarded; nil offline.
  init(_ bus: InstrumentBus, from start: HostTime?) { (self.bus, nextTime) = (bus, start) }

  func service(until now: HostTime) {
    bus.pass()
    if nextTime != nil { nextTime = now.advanced(bySeconds: 0.02) }
  }
}
