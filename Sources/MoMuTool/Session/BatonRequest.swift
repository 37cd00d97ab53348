import MoCore
import MoOrchestra

/// The request of the option `--conduct`: to take the baton or, if no rhythm runs, to start the rhythm as its
/// conductor.
///
/// Each call of `take` tries this until an attempt has succeeded; `isDone` is then true.
struct BatonRequest {
  let tempo: Double
  let meter: Meter
  private(set) var isDone = false
  private var hasComplained = false

  init(tempo: Double, meter: Meter) { (self.tempo, self.meter) = (tempo, meter) }

  mutating func take() {
    guard !isDone, SessionServer.shared.look({ core, _ in core.hasArrived }) == true else { return }
    do {
      let plays = SessionServer.shared.look { core, now in core.beatClock.isPlaying(at: now) } ?? false
      if plays {
        try MoSession.takeBaton()
      } else {
        try MoSession.startRhythm(tempo: Tempo(tempo), meter: meter)
      }
      isDone = true
    } catch {
      if !hasComplained { complain("\(error)") }
      hasComplained = true
    }
  }
}
