import Glibc
import MoCore
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("The instrument bus")
struct BusTests {
  @Test(
    "an event falls on the frame nearest to its time, in blocks of any length",
    arguments: [1, 48, 64, 100, 512])
  func exactFrames(block: Int) throws {
    var harness = Harness(blockFrames: block)
    let handle = try harness.bus.add(Probe())
    handle.loudness = 1
    _ = harness.render(480)  // the loudness glides there
    var noise = Noise(seed: 5)
    let moments = (0..<60).map { 480 + 20 + 150 * Double($0) + Double(100 * abs(noise.tick())) }
    // Out of order, as different threads send them.
    for place in moments.indices.reversed() { handle.strike(0.5, at: moment(moments[place])) }
    let heard = harness.render(10_000).left.enumerated().filter { $0.element > 0.1 }.map { $0.offset + 480 }
    #expect(heard == moments.map { Int($0.rounded()) })
  }

  @Test("an event whose time has passed sounds at the next block's first frame")
  func late() throws {
    var harness = Harness()
    let handle = try harness.bus.add(Probe())
    _ = harness.render(256)
    handle.strike(0.5, at: .zero)
    handle.strike(0.25)
    #expect(harness.render(256).left[0] > 0.4)
  }

  @Test(
    "through the limiter, which looks 1 ms ahead, an early event is heard exactly at its frame",
    arguments: [1, 64, 100, 512])
  func lookAhead(block: Int) throws {
    var harness = Harness(bus: InstrumentBus(sampleRate: 48_000), blockFrames: block)
    let handle = try harness.bus.add(Probe())
    handle.loudness = 1
    let beat = BeatClock.steady(tempo: 120, from: moment(6000))
    harness.bus.follow { beat }
    _ = harness.render(5120)
    let moments = (0..<5).map { 5300.0 + 1000 * Double($0) }
    for moment in moments { handle.strike(0.3, at: MoInstrumentsTests.moment(moment)) }
    let heard = harness.render(8000).left.enumerated().filter { $0.element > 0.1 }.map { $0.offset + 5120 }
    // Grid lines too: sixteenths, an eighth of a second apart.
    #expect(heard == (moments.map { Int($0) } + [6000, 12_000]).sorted())
  }

  @Test("through the limiter, an event whose time has passed is heard 1 ms after it was sent")
  func lateThroughLimiter() throws {
    var harness = Harness(bus: InstrumentBus(sampleRate: 48_000))
    let handle = try harness.bus.add(Probe())
    _ = harness.render(256)
    handle.strike(0.5, at: .zero)
    handle.strike(0.25)
    let sound = harness.render(256).left
    #expect(sound[48] > 0.4)
    #expect(sound[..<48].allSatisfy { $0 == 0 })
  }

  @Test("a low tone 3.3 or 6 dB above the ceiling is turned down without distortion", arguments: [3.3, 6.0])
  func bent(decibels: Double) throws {
    var harness = Harness(bus: InstrumentBus(sampleRate: 48_000))
    let handle = try harness.bus.add(LoudSine(peak: InstrumentBus.ceiling * Float(pow(10, decibels / 20))))
    handle.loudness = 1
    _ = harness.render(48_000)
    let sound = harness.render(48_000).left
    #expect(AudioMeasures.peak(sound) <= InstrumentBus.ceiling)
    #expect(AudioMeasures.peak(sound) > 0.97 * InstrumentBus.ceiling)
    let whole = AudioMeasures.windowed(sound[...])
    let tone = AudioMeasures.strength(of: whole, at: 60 / 48_000)
    for harmonic in [3.0, 5, 7] {
      let level = 20 * log10(AudioMeasures.strength(of: whole, at: 60 * harmonic / 48_000) / tone)
      #expect(level < -80, "harmonic \(harmonic): \(level) dB")
    }
  }

  @Test("numbers out of range are clamped, and NaN is refused")
  func cleaning() throws {
    var harness = Harness()
    let handle = try harness.bus.add(Probe())
    handle.loudness = 1
    _ = harness.render(4096)
    #expect(handle.noteOn(200, velocity: 0.5, at: moment(4100)))  // as note 127
    #expect(handle.noteOn(-3, velocity: 7, at: moment(4200)))  // as note 0 and velocity 1
    #expect(handle.noteOn(60, velocity: 0, at: moment(4300)))  // ends the note
    #expect(!handle.noteOn(Float.nan))
    #expect(!handle.noteOn(60, velocity: Float.nan))
    #expect(!handle.strike(Float.nan))
    #expect(!handle.pitchBend(.infinity))
    #expect(!handle.send(.motion(Motion(time: .zero, x: .nan, y: 0, z: 1))))
    let sound = harness.render(256).left
    #expect(abs(sound[4] - 0.627) < 1e-6)
    #expect(abs(sound[104] - InstrumentBus.ceiling) < 1e-3)  // 1, limited
    #expect(sound[204] < -0.1)
    #expect(handle.refused == 5)
  }

  @Test("an instrument leaves even while the event queue is full")
  func leavesWhenFull() throws {
    var harness = Harness()
    let handle = try harness.bus.add(Probe())
    while handle.strike(0.5, at: moment(9e6)) {}
    handle.stop()
    _ = harness.render(4800)
    #expect(harness.bus.handles.isEmpty)
  }

  @Test("an event or a value that does not fit into the full queue is refused once")
  func fullQueue() throws {
    let handle = try InstrumentBus().add(Probe())
    while handle.strike(0.5, at: moment(9e6)) {}
    #expect(handle.refused == 1)
    #expect(handle.set(0, to: 0.5) == nil)
    #expect(handle.refused == 2)
  }

  @Test("if nothing is rendered, values are accepted and a stopped instrument leaves")
  func silent() throws {
    let bus = InstrumentBus()
    for round in 0..<200 {
      let handle = try bus.add(Probe())
      for value in 0..<20 { #expect(handle.set(0, to: Float(value) / 20, at: moment(Double(round))) != nil) }
      if round > 0 { handle.stop() }
      bus.pass()
      #expect(bus.handles.count == 1)
    }
    let handle = try #require(bus.handles.first)
    for step in 0..<2000 {
      #expect(handle.set(0, to: 0.5) != nil)
      if step % 100 == 0 { bus.pass() }
    }
    #expect(handle.refused == 0)
  }

  @Test("a parameter glides linearly to its new value over its smoothing time")
  func glide() throws {
    var harness = Harness(blockFrames: 100)
    let handle = try harness.bus.add(Probe())
    handle.loudness = 1
    _ = harness.render(4800)
    try handle.set("level", to: 0.8, at: moment(4850))
    try handle.set("held", to: 0.8, at: moment(4850))
    let (left, right) = harness.render(1000)
    for frame in 0..<1000 {
      let way = max(0, min(Float(frame - 50) / 480, 1))
      #expect(abs(left[frame] - 0.8 * way) < 1e-5)
      // A constant value is renewed at multiples of 32 frames from the start.
      let renewed = Float((4800 + frame) / 32 * 32 - 4850)
      #expect(abs(right[frame] - 0.8 * max(0, min(renewed / 480, 1))) < 1e-5)
    }
  }

  @Test("a value set before the first frame applies from that frame")
  func first() throws {
    var harness = Harness()
    let handle = try harness.bus.add(Probe())
    handle.loudness = 1
    try handle.set("level", to: 0.5)
    #expect(harness.render(256).left.allSatisfy { $0 == 0.5 })
  }

  @Test("setting a parameter returns the value set, or throws an error in words")
  func settings() throws {
    let bus = InstrumentBus()
    let handle = try bus.add(Probe())
    #expect(try handle.set("level", to: 0.25) == 0.25)
    #expect(try handle.set("level", to: 7) == 1)
    #expect(try handle.set("level", to: -.infinity) == 0)
    #expect(handle.value("level") == 0)
    #expect(handle.value("colour") == nil)
    let unknown = #expect(throws: InstrumentError.self) { try handle.set("colour", to: 1) }
    #expect(unknown?.description == "probe has no parameter \"colour\": it has level, held, size, loudness")
    let none = #expect(throws: InstrumentError.self) { try handle.set("level", to: .nan) }
    #expect(none?.description == "probe's level must be a number from 0.0 to 1.0")
  }

  @Test("instruments are summed, and the sum stays below −1 dBFS")
  func sum() throws {
    var harness = Harness()
    for _ in 0..<8 {
      let handle = try harness.bus.add(Probe())
      handle.loudness = 1
      try handle.set("level", to: 0.6)
    }
    let sound = harness.render(9600).left
    #expect(sound.allSatisfy { $0 <= 0.8913 })
    #expect(sound[9599] > 0.88)
    #expect(harness.bus.limiting < 0.2)
  }

  @Test("an instrument that returns NaN does not silence the others")
  func noNumbers() throws {
    var harness = Harness()
    let broken = try harness.bus.add(Probe())
    let whole = try harness.bus.add(Probe())
    try whole.set("level", to: 0.5)
    broken.pitchBend(24)
    let sound = harness.render(4800).left
    #expect(abs(sound[4799] - 0.5 * 0.64) < 1e-5)
  }

  @Test("a stopped instrument fades out within 10 ms, and its name becomes free")
  func leaving() throws {
    var harness = Harness()
    let first = try harness.bus.add(Probe())
    let second = try harness.bus.add(Probe())
    #expect(second.name == "probe-2")
    try first.set("level", to: 0.5)
    _ = harness.render(4800)
    first.stop()
    let sound = harness.render(960).left
    #expect(sound[0] > 0.2 && sound[480] == 0)
    #expect(zip(sound, sound.dropFirst()).allSatisfy { abs($0 - $1) < 0.002 })
    #expect(harness.bus.handles.map(\.name) == ["probe-2"])
    #expect(try harness.bus.add(Probe()).name == "probe")
  }

  @Test("accepts 32 instruments, and refuses more with an error")
  func room() throws {
    var harness = Harness()
    for _ in 0..<32 { _ = try harness.bus.add(Probe()) }
    let full = #expect(throws: InstrumentError.self) { try harness.bus.add(Probe()) }
    #expect(full?.description == "32 instruments play already: stop one with its handle's stop()")
    harness.bus.handles[5].stop()
    _ = harness.render(4800)
    #expect(try harness.bus.add(Probe()).name == "probe-6")
    let name = #expect(throws: InstrumentError.self) { try InstrumentBus().add(Probe(), as: "My Drum") }
    #expect(
      name?.description
        == "an instrument cannot be called \"My Drum\": use lower-case letters, digits and hyphens")
  }

  @Test("grid lines fall on their frames, in blocks of any length", arguments: [1, 64, 512])
  func lines(block: Int) throws {
    var harness = Harness(blockFrames: block)
    let handle = try harness.bus.add(Probe())
    handle.loudness = 1
    let beat = BeatClock.steady(tempo: 120, from: moment(4800))
    harness.bus.follow { beat }
    let heard = harness.render(40_000).left.enumerated().filter { $0.element > 0.1 }.map(\.offset)
    // Sixteenths at 120 beats per minute: an eighth of a second.
    #expect(heard == (0..<6).map { 4800 + 6000 * $0 })
  }
}

/// A tone of 60 Hz at a given level, which may exceed full scale.
private struct LoudSine: Instrument {
  static let sheet = InstrumentInfo(name: "loud-sine", summary: "a loud tone", tail: 0.1)

  private var sine = Sine(frequency: 60)
  private let peak: Float

  init(peak: Float) { self.peak = peak }
  init(seed: UInt64?) { peak = 1 }

  mutating func prepare(sampleRate: Double, blockFrames: Int) { sine.prepare(sampleRate: sampleRate) }

  mutating func handle(_ event: InstrumentEvent, _ controls: Controls<NoControl>) {}

  mutating func render(_ block: inout AudioBlock, _ controls: Controls<NoControl>) {
    for frame in block.frames { block[frame] = peak * sine.tick() }
  }
}
