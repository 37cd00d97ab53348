import MoInstruments

/// Drops that fall into water: each shake is one, and its pitch rises as the bubble closes.
struct Drops: Instrument {
  static let sheet = InstrumentInfo(
    name: "drops", summary: "drops that fall into water: shake them down, tilt for how big they are", tail: 3,
    mapping: """
      tilt-roll -60..60 -> note C5..C7
      jerk -> strike 0.3..1
      """)

  enum Control: Int, InstrumentControl {
    case wet

    var parameter: Parameter {
      switch self {
      case .wet: Parameter("wet", 0...1, default: 0.5, about: "how far the pitch rises")
      }
    }
  }

  private var bubble = Sine()
  private var energy: Float = 0
  private var level: Float = 0
  private var rise = 0.0
  private var loss: Float = 0

  init(seed: UInt64?) {}

  var isSounding: Bool { energy > 1e-5 || level > 1e-5 }

  mutating func prepare(sampleRate: Double, blockFrames: Int) {
    bubble.prepare(sampleRate: sampleRate)
    loss = Float(20 / sampleRate)
    (energy, level) = (0, 0)
  }

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .noteOn(let note):
      bubble.frequency = note.frequency
      (energy, rise) = (note.velocity, note.frequency / 6000)
    case .strike(let force): handle(.noteOn(Note(84, velocity: force)), controls)
    case .allOff: energy = 0
    default: break
    }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    for frame in block.frames {
      energy -= loss * energy
      level += 0.02 * (energy - level)
      bubble.frequency += rise * Double(controls[.wet, frame] * level)
      block[frame] = 0.5 * level * bubble.tick()
    }
  }
}
