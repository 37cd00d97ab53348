import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

/// A tone that sounds always, or while a note is held.
private struct ToneInstrument: Instrument {
  static let sheet = InstrumentInfo(
    name: "hum", summary: "a hum", holds: true, mapping: "activity -> gate above 0.5 below 0.2")

  enum Control: Int, InstrumentControl {
    case level
    case colour

    var parameter: Parameter {
      switch self {
      case .level: Parameter("level", 0...1, default: 0.4, smoothing: 0)
      case .colour: Parameter("colour", 0...1, default: 0.1)
      }
    }
  }

  var isHeldOnly = false
  var sine = Sine(frequency: 220)
  var isHeld = false

  init(seed: UInt64? = nil) {}

  init(_ frequency: Double, isHeldOnly: Bool = false) {
    sine.frequency = frequency
    self.isHeldOnly = isHeldOnly
  }

  mutating func prepare(sampleRate: Double, blockFrames: Int) { sine.prepare(sampleRate: sampleRate) }

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {
    switch event {
    case .noteOn: isHeld = true
    case .noteOff, .allOff: isHeld = false
    default: break
    }
  }

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {
    for frame in block.frames {
      let sample = controls[.level] * sine.tick()
      block[frame] = isHeld || !isHeldOnly ? sample : 0
    }
  }
}

/// A silent instrument whose parameter of the same name has another range and default.
private struct SilentInstrument: Instrument {
  static let sheet = InstrumentInfo(name: "hush", summary: "nothing")

  enum Control: Int, InstrumentControl {
    case colour
    case level

    var parameter: Parameter {
      switch self {
      case .colour: Parameter("colour", 0...1, default: 0.7)
      case .level: Parameter("level", 0...0.5, default: 0.3)
      }
    }
  }

  init(seed: UInt64? = nil) {}
  mutating func prepare(sampleRate: Double, blockFrames: Int) {}
  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<Control>) {}
  mutating func render(_ block: inout AudioBlock, _ controls: Controls<Control>) {}
}

@Suite("Replacing an instrument")
struct SuccessionTests {
  private func hum(_ frequency: Double, isHeldOnly: Bool = false) -> InstrumentFactory {
    InstrumentFactory(ToneInstrument.self) { _ in ToneInstrument(frequency, isHeldOnly: isHeldOnly) }
  }

  /// Replaces the playing instrument on a harness.
  private func change(
    _ harness: Harness, _ old: InstrumentHandle, to entry: InstrumentFactory
  ) throws -> InstrumentHandle {
    try harness.bus.add(try entry.successor(of: old, on: harness.bus))
  }

  @Test("cross-fades within a quarter of a second without a gap or a click, then only the new one sounds")
  func crossfade() throws {
    var harness = Harness()
    let old = try hum(220).add(to: harness.bus)
    var sound = harness.render(24_000).left
    let new = try change(harness, old, to: hum(330))
    sound += harness.render(24_000).left
    let level = AudioMeasures.rms(sound[..<24_000])
    for start in stride(from: 960, to: 47_000, by: 240) {
      // Two uncorrelated sounds, each at half its height: −3 dB.
      #expect(AudioMeasures.rms(sound[start..<start + 960]) > 0.6 * level)
    }
    func bend(_ frames: Range<Int>) -> Float {
      frames.reduce(0) { max($0, abs(sound[$1] - 2 * sound[$1 - 1] + sound[$1 - 2])) }
    }
    #expect(bend(2..<46_000) <= 1.1 * bend(40_000..<46_000))
    // 12,000 frames, and the 32 of the last renewal.
    let alone = Array(sound[36_032...])
    let pitch = try #require(AudioMeasures.pitch(alone, sampleRate: 48_000, within: 150...500))
    #expect(abs(pitch - 330) < 0.5)
    #expect(abs(AudioMeasures.rms(alone) / level - 1) < 0.01)
    #expect(new.name == "hum")
  }

  @Test("can be replaced again while it still fades in")
  func twice() throws {
    var harness = Harness()
    let first = try hum(220).add(to: harness.bus)
    _ = harness.render(4800)
    let second = try change(harness, first, to: hum(330))
    _ = harness.render(4800)
    _ = try change(harness, second, to: hum(440))
    _ = harness.render(12_288)
    #expect(harness.bus.handles.count == 1)
    let pitch = try #require(
      AudioMeasures.pitch(harness.render(12_000).left, sampleRate: 48_000, within: 150...500))
    #expect(abs(pitch - 440) < 0.5)
  }

  @Test("changed parameters keep their values within the new range, others get the new default")
  func parameters() throws {
    var harness = Harness()
    let old = try hum(220).add(to: harness.bus)
    try old.set("level", to: 0.9)
    old.loudness = 0.5
    _ = harness.render(512)
    let new = try change(harness, old, to: InstrumentFactory(SilentInstrument.self))
    #expect(new.name == "hush")
    #expect(new.value("level") == 0.5)
    #expect(new.value("colour") == 0.7)
    #expect(new.loudness == 0.5)
    // The old one leaves completely: 0.25 s, and the block in which that is noticed.
    _ = harness.render(12_288)
    #expect(harness.render(4800).left.allSatisfy { $0 == 0 })
    #expect(harness.bus.handles.map(\.name) == ["hush"])
  }

  @Test("held notes continue, and end at their time")
  func notes() throws {
    var harness = Harness()
    let old = try hum(220, isHeldOnly: true).add(to: harness.bus)
    old.noteOn(60)
    old.noteOn(64)
    old.noteOff(64)
    old.noteOff(60, at: moment(48_000))
    _ = harness.render(12_288)
    _ = try change(harness, old, to: hum(330, isHeldOnly: true))
    let sound = harness.render(48_000 - 12_288 + 4800).left
    #expect(AudioMeasures.rms(sound[24_000..<30_000]) > 0.1)
    let last = try #require(sound.lastIndex { $0 != 0 })
    #expect((47_900..<48_000).contains(last + 12_288))
  }

  @Test("notes that wait for a grid line play and end on the new instrument")
  func grid() throws {
    var harness = Harness()
    let old = try hum(220, isHeldOnly: true).add(to: harness.bus)
    // A line every 24,000 frames, from 4,800 on.
    old.grid = Quantiser(stepsPerBeat: 1)
    harness.bus.follow { BeatClock.steady(tempo: 120, from: moment(4800)) }
    // Begins at 28,800 and keeps its played length, until 46,800.
    old.noteOn(60, at: moment(18_000))
    old.noteOff(60, at: moment(36_000))
    // Begins at 52,800, when the old one has left.
    old.noteOn(62, at: moment(42_000))
    _ = harness.render(30_720)
    let new = try change(harness, old, to: hum(330, isHeldOnly: true))
    // Ends at 72,800.
    new.noteOff(62, at: moment(62_000))
    let sound = harness.render(60_000).left
    func part(_ frames: Range<Int>) -> ArraySlice<Float> {
      sound[(frames.lowerBound - 30_720)..<(frames.upperBound - 30_720)]
    }
    #expect(AudioMeasures.rms(part(43_000..<46_790)) > 0.1)
    #expect(part(46_810..<52_790).allSatisfy { $0 == 0 })
    #expect(AudioMeasures.rms(part(52_810..<72_790)) > 0.1)
    #expect(part(72_810..<90_000).allSatisfy { $0 == 0 })
  }

  @Test("a note held by movement continues, and ends with the movement")
  func gate() throws {
    var harness = Harness()
    let old = try hum(220, isHeldOnly: true).add(to: harness.bus)
    func motion(_ activity: Float, _ frame: Int) -> Motion {
      Motion(time: moment(Double(frame)), x: 0, y: 0, z: 1, activity: activity)
    }
    old.move(motion(0.8, 480))
    _ = harness.render(12_288)
    let new = try change(harness, old, to: hum(330, isHeldOnly: true))
    // Neither still enough to end nor wild enough to begin.
    new.move(motion(0.3, 14_000))
    new.move(motion(0.1, 40_000))
    let sound = harness.render(36_000).left
    #expect(AudioMeasures.rms(sound[14_000..<26_000]) > 0.1)
    let last = try #require(sound.lastIndex { $0 != 0 })
    #expect((39_900..<40_000).contains(last + 12_288))
  }
}
