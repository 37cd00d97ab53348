import Glibc
import MoDSP
import MoInstruments
import Testing

/// An instrument that breaks every law, to see that each is noticed.
struct Flawed: Instrument {
  static let sheet = InstrumentSheet(name: "flawed", summary: "breaks every law.", plays: 48...72, tail: 0.2)

  enum Control: Int, InstrumentControl {
    case level
    case width

    var parameter: Parameter {
      switch self {
      // It jumps where it is set, and two share a name.
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
      // Ten cents sharp, late, too loud, and with a click where it was sounding.
      sine.frequency = note.frequency * exp2(10.0 / 1200)
      if level > 0 { spike = -5 } else { (sine.phase, wait) = (0.25, 60) }
      level = 2
    case .strike, .motion: level = 2
    // It never ends.
    case .noteOff, .allOff: level = 0.001
    case .noteMove, .bend, .line, .rhythm: break
    }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    // Something random, and once a block.
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

@Suite("The laws notice")
struct LawTests {
  static let laws: [(String, @Sendable (String) throws -> Void)] = [
    ("ten cents", { try SoundLaws().pitch(name: $0) }),
    ("too loud", { try SoundLaws().peak(name: $0) }),
    ("a constant part", { try SoundLaws().constantPart(name: $0) }),
    ("no end", { try SoundLaws().tail(name: $0) }),
    ("late", { try TimeLaws().onset(name: $0) }),
    ("blocks", { try TimeLaws().blocks(name: $0) }),
    ("chance", { try TimeLaws().seed(name: $0) }),
    ("sound without movement", { try TimeLaws().still(name: $0) }),
    ("a click at the start", { try ClickLaws().start(name: $0) }),
    ("a click at the end", { try ClickLaws().end(name: $0) }),
    ("a click at a steal", { try ClickLaws().steal(name: $0) }),
    ("a jump", { try ClickLaws().jump(name: $0) }),
    ("a full stop in the summary", { try SheetLaws().sheet(name: $0) }),
    ("two parameters of one name", { try SheetLaws().parameters(name: $0) }),
  ]

  @Test("whatever breaks them", arguments: laws.indices)
  func caught(index: Int) {
    withKnownIssue("\(Self.laws[index].0)") { try Self.laws[index].1(Flawed.sheet.name) }
  }
}
