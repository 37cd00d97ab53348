import MoCore
import MoOrchestra

/// The request of `--conduct`: takes the baton as soon as possible.
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
