import Glibc
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Loudness")
struct LoudnessTests {
  /// Sends an event of force 0.8 after a tenth of a second; a note is held for a second.
  private func loudness(_ entry: InstrumentFactory, _ event: InstrumentEvent) throws -> Double {
    var render = InstrumentRender(entry)
    render.send(event, at: 4800)
    if case .noteOn(let note) = event { render.send(.noteOff(note), at: 52_800) }
    let take = try render.take(seconds: 2.5)
    return AudioMeasures.greatestMomentary(take.left, take.right)
  }

  @Test("a note and a stroke of force 0.8 are equally loud on all instruments, within 6 LU")
  func law() throws {
    var levels: [(name: String, level: Double)] = []
    let entries =
      try Catalogue.names.map { try Catalogue.entry($0) }
      + [InstrumentFactory(SignalShaker.self), InstrumentFactory(SignalDrum.self)]
    for entry in entries {
      levels.append(
        ("\(entry.sheet.name), a note", try loudness(entry, .noteOn(Note(InstrumentRender(entry).middle)))))
      levels.append(("\(entry.sheet.name), a stroke", try loudness(entry, .strike(0.8))))
    }
    let softest = try #require(levels.min { $0.level < $1.level })
    let loudest = try #require(levels.max { $0.level < $1.level })
    #expect(loudest.level - softest.level <= 6, "\(softest) … \(loudest)")
  }

  @Test("the meter reads the tones of EBU Tech 3341 correctly", arguments: [-23.0, -33])
  func tone(level: Double) {
    let tone = sine(seconds: 20, level)
    #expect(abs(AudioMeasures.greatestMomentary(tone, tone) - level) < 0.1)
    #expect(abs(AudioMeasures.integrated(tone, tone) - level) < 0.1)
    // One channel alone has half the power.
    let silence = [Float](repeating: 0, count: tone.count)
    #expect(abs(AudioMeasures.integrated(tone, silence) - level + 3.01) < 0.1)
  }

  @Test("sounds far softer than the rest do not count: EBU Tech 3341, cases 3 and 4")
  func gates() {
    let three = sine(seconds: 10, -36) + sine(seconds: 60, -23) + sine(seconds: 10, -36)
    #expect(abs(AudioMeasures.integrated(three, three) + 23) < 0.1)
    let four = sine(seconds: 10, -72) + three + sine(seconds: 10, -72)
    #expect(abs(AudioMeasures.integrated(four, four) + 23) < 0.1)
  }

  /// Returns a tone of 1 kHz at a level in dB of full scale.
  private func sine(seconds: Int, _ level: Double) -> [Float] {
    let peak = pow(10, level / 20)
    return (0..<seconds * 48_000).map { Float(peak * sin(2 * .pi * Double($0) / 48)) }
  }
}

/// Runs `Shaker` on a bus, shaken with the force of a note or a stroke.
private struct SignalShaker: Instrument {
  static let sheet = InstrumentInfo(name: "signal-shaker", summary: "the shaker of WakeEvent", tail: 3)

  private var shaker: Shaker
  private var force: Float = 0

  init(seed: UInt64?) { shaker = Shaker(seed: seed) }

  mutating func prepare(sampleRate: Double, blockFrames: Int) { shaker.prepare(sampleRate: sampleRate) }

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {
    switch event {
    case .noteOn(let note): force = note.velocity
    case .strike(let force): self.force = force
    case .noteOff, .allOff: force = 0
    default: break
    }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    for frame in block.frames { block[frame] = shaker.tick(force) }
  }
}

/// Runs `Drum` on a bus.
private struct SignalDrum: Instrument {
  static let sheet = InstrumentInfo(name: "signal-drum", summary: "the drum of WakeEvent", tail: 3)

  private var drum: Drum

  init(seed: UInt64?) { drum = Drum(seed: seed) }

  mutating func prepare(sampleRate: Double, blockFrames: Int) { drum.prepare(sampleRate: sampleRate) }

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {
    switch event {
    case .noteOn(let note): drum.strike(note.velocity)
    case .strike(let force): drum.strike(force)
    default: break
    }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    for frame in block.frames { block[frame] = drum.tick() }
  }
}
