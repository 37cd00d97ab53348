import MoMu
import MoTime

/// Plays a bus where there is no sound, `--audio none`: throws away what comes, fifty times a second.
final class SilentStage: InputSource {
  let name = "silent instruments"
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private let bus: InstrumentBus

  init(_ bus: InstrumentBus, from now: HostTime) { (self.bus, nextTime) = (bus, now) }

  func service(until now: HostTime) {
    bus.pass(until: now)
    nextTime = now.advanced(bySeconds: 0.02)
  }
}
