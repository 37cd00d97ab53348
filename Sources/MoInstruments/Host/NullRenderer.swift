import MoCore
import MoMu

/// Runs a bus without sound (`--audio none`): discards received events fifty times per second.
///
/// Offline it runs only when another event occurs, because a run without sound ends when no event is left.
final class NullRenderer: EventSource, @unchecked Sendable {
  // Unchecked: `nextTime` belongs to the thread that services.
  let name = "silent instruments"
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private let bus: InstrumentBus

  /// - Parameter start: the time of the first poll; nil offline.
  init(_ bus: InstrumentBus, from start: HostTime?) { (self.bus, nextTime) = (bus, start) }

  func service(until now: HostTime) {
    bus.pass()
    if nextTime != nil { nextTime = now.advanced(bySeconds: 0.02) }
  }
}
