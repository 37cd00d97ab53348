import Glibc
import MoDSP
import MoInstruments
import MoTesting
import Testing

/// An instrument that breaks every law, to check that each violation is noticed.
struct Flawed: Instrument {
  static let sheet = InstrumentInfo(name: "flawed", summary: "breaks every law.", plays: 48...72, tail: 0.2)

  enum Control: Int, InstrumentControl {
    case level
    case width

    var parameter: Parameter {
      switch self {
      // A value that jumps when it is set, and two parameters with the same name.
      case .level: Parameter("level", 0...1, default: 1, smoothing: 0)
      case .width: Parameter("level", 0...1, default: 1)
      }
    }
  }

  private var sine = Sine()
  private var level: Float = 0
  private var wait = 0
  private var spike: Float = 0
  private var noise = Noise(seed: UInt64.random(in: 1...1_000_000))

  init(seed: UInt64? = nil) {}

  mutating func prepare(sampleRate: Double, blockFrames: Int) { sine.prepare(sampleRate: sampleRate) }

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .noteOn(let note):
      // Ten cents sharp, late, too loud, and with a click while it sounds.
      sine.frequency = note.frequency * exp2(10.0 / 1200)
      if level > 0 { spike = -5 } else { (sine.phase, wait) = (0.25, 60) }
      level = 2
    case .strike, .motion: level = 2
    // Never ends.
    case .noteOff, .allOff: level = 0.001
    case .noteMove, .bend, .line, .rhythm: break
    }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    // Random, and dependent on the block size.
    var extra = 1e-4 * noise.tick()
    for frame in block.frames {
      if wait > 0 {
        wait -= 1
        continue
      }
      block[frame] = level > 0 ? (level * sine.tick() + 0.05) * controls[.level] + extra + spike : 0
      (extra, spike) = (0, 0)
    }
  }
}

@Suite("The laws")
struct LawTests {
  @Test("notice every violation", arguments: InstrumentLaw.all)
  func caught(law: InstrumentLaw) {
    // Its mapping is empty, it is loud enough, and the limiter keeps it in bounds.
    let kept = ["mapping", "is heard", "both ends"]
    if kept.contains(where: { law.testDescription.contains($0) }) { return }
    withKnownIssue { try law.hold(Flawed.self) }
  }
}
