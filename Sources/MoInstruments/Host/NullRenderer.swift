import MoCore
import MoMu

/// Plays a bus where there is no sound, `--audio none`: throws away what comes, fifty times a second.
///
/// Offline it does so whenever something else happens: a run without sound ends when nothing is to come.
final class NullRenderer: EventSource, @unchecked Sendable {
  // Unchecked: `nextTime` belongs to the thread that services.
  let name = "silent instruments"
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private let bus: InstrumentBus

  /// - Parameter start: when it looks first; nil offline.
  init(_ bus: InstrumentBus, from start: HostTime?) { (self.bus, nextTime) = (bus, start) }

  func service(until now: HostTime) {
    bus.pass()
    if nextTime != nil { nextTime = now.advanced(bySeconds: 0.02) }
  }
}
