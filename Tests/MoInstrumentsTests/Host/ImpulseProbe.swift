import MoDSP
import MoInstruments

/// An instrument that plays an impulse as high as the velocity, and −0.25 at the end of a note.
///
/// It has no grid of its own.
struct ImpulseProbe: Instrument {
  static let sheet = InstrumentInfo(name: "impulse-probe", summary: "shows what reaches it", tail: 0.1)

  private var impulse: Float = 0

  init(seed: UInt64? = nil) {}

  mutating func prepare(sampleRate: Double, blockFrames: Int) {}

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {
    switch event {
    case .noteOn(let note): impulse += note.velocity
    case .noteOff: impulse -= 0.25
    case .strike(let force): impulse += force
    default: break
    }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    for frame in block.frames {
      block[frame, 0] = impulse
      impulse = 0
    }
  }
}
