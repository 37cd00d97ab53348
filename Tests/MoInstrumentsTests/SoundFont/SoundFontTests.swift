import Glibc
import MoCore
import MoDSP
import MoTesting
import Testing

@testable import MoInstruments

@Suite("SoundFonts")
struct SoundFontTests {
  /// Debian's small SoundFont, which the test set-up installs.
  private let font = "/usr/share/sounds/sf2/TimGM6mb.sf2"

  private func message(_ path: String, library: FluidLibrary? = .loaded) -> String {
    do {
      _ = try SoundFont(path: path, library: library)
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  private func file(_ bytes: [UInt8]) throws -> String {
    var name = Array("/tmp/momu-soundfont-XXXXXX".utf8CString)
    let descriptor = try #require(Optional(mkstemp(&name)).flatMap { $0 >= 0 ? $0 : nil })
    defer { close(descriptor) }
    #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    return String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  @Test("reports a missing file, word for word")
  func missing() {
    #expect(
      message("/nowhere/at-all.sf2")
        == "cannot open the SoundFont /nowhere/at-all.sf2: No such file or directory; to install a small one, type sudo apt "
        + "install timgm6mb-soundfont, then --soundfont /usr/share/sounds/sf2/TimGM6mb.sf2")
    #expect(message("/tmp").hasPrefix("cannot open the SoundFont /tmp: Is a directory; "))
  }

  @Test(
    "reports a file that is not a SoundFont, word for word",
    arguments: [[], Array("RIFF1234WAVEfmt ".utf8), [UInt8](repeating: 7, count: 99)])
  func other(bytes: [UInt8]) throws {
    let path = try file(bytes)
    defer { unlink(path) }
    #expect(
      message(path)
        == "\(path) is not a SoundFont: choose a SoundFont file, whose name ends in .sf2 or .sf3"
    )
  }

  @Test("reports that FluidSynth is missing, word for word")
  func library() throws {
    let path = try file(Array("RIFF1234sfbkLIST".utf8))
    defer { unlink(path) }
    #expect(FluidLibrary(name: "libnothing-of-the-kind.so.3") == nil)
    #expect(
      message(path, library: nil)
        == "SoundFonts need FluidSynth: install it with sudo apt install libfluidsynth3, or play without --soundfont"
    )
  }

  @Test("reports a truncated SoundFont, word for word")
  func damaged() throws {
    let path = try file(Array("RIFF1234sfbkLIST".utf8))
    defer { unlink(path) }
    #expect(message(path) == "\(path) is damaged: FluidSynth cannot read it; choose another file")
  }

  @Test(
    "plays in tune at the device's rate, releases notes, follows the pedal", arguments: [44_100.0, 48_000])
  func plays(rate: Double) throws {
    var instrument = try SoundFont(path: font)
    instrument.prepare(sampleRate: rate, delay: nil)
    var glides = [ControlGlide(0), ControlGlide(0)]
    var sound: [Float] = []
    try glides.withUnsafeMutableBufferPointer { glides in
      let controls = Controls<SoundFont.Control>(UnsafePointer(try #require(glides.baseAddress)))
      instrument.handle(.noteOn(Note(69, velocity: 0.8)), controls)
      sound = render(&instrument, controls, seconds: 1, rate)
      glides[0] = ControlGlide(1)
      instrument.handle(.noteOff(Note(69)), controls)
      let held = render(&instrument, controls, seconds: 0.5, rate)
      glides[0] = ControlGlide(0)
      let released = render(&instrument, controls, seconds: 1.5, rate)
      #expect(AudioMeasures.rms(held) > 0.04 * AudioMeasures.rms(sound))
      #expect(AudioMeasures.rms(released.suffix(4_000)) < 0.02 * AudioMeasures.rms(sound))
    }
    let found = AudioMeasures.strongest(near: 440, in: sound[9_600...], sampleRate: rate)
    #expect(abs(AudioMeasures.cents(found, above: 440)) < 5)
    #expect(AudioMeasures.peak(sound) > 0.02 && AudioMeasures.peak(sound) < 0.9)
  }

  private func render(
    _ instrument: inout SoundFont, _ controls: Controls<SoundFont.Control>, seconds: Double, _ rate: Double
  ) -> [Float] {
    var samples = [Float](repeating: 0, count: 2 * 32)
    var left: [Float] = []
    while left.count < Int(seconds * rate) {
      samples.withUnsafeMutableBufferPointer { samples in
        var block = AudioBlock(
          output: samples.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: 32, sampleRate: rate)
        instrument.render(&block, controls)
      }
      left += stride(from: 0, to: 64, by: 2).map { samples[$0] }
    }
    return left
  }

  @Test("sounds the same on its own thread, later by the stated delay")
  func thread() throws {
    let library = try #require(FluidLibrary.loaded)
    let synth = try #require(FluidSynth(path: font, sampleRate: 48_000, library: library))
    let alone = try #require(FluidSynth(path: font, sampleRate: 48_000, library: library))
    library.useOneCore()
    let fluid = try FluidThread(synth, delay: 400)
    let note = FluidThread.Command(kind: .noteOn, first: 60, second: 100)
    fluid.send(note)
    alone.execute(note)
    var (late, direct): ([Float], [Float]) = ([], [])
    var samples = [Float](repeating: 0, count: 2 * 32)
    for _ in 0..<300 {
      samples.withUnsafeMutableBufferPointer { samples in
        guard let start = samples.baseAddress else { return }
        alone.write(start, frames: 32)
        direct += samples
        for index in samples.indices { samples[index] = 0 }
        var block = AudioBlock(
          output: samples.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: 32, sampleRate: 48_000)
        fluid.render(&block)
      }
      late += samples
      // A device would wait for real time here; the test waits for the thread instead.
      while !fluid.isCaughtUp {}
    }
    #expect(fluid.missed == 0)
    #expect(late[..<800].allSatisfy { $0 == 0 })
    #expect(Array(late[800...]) == Array(direct[..<(direct.count - 800)]))
    #expect(AudioMeasures.peak(direct) > 0.02)
  }

  @Test(
    "for any burst size it is silent once at most, and from then on only later",
    arguments: [64, 256, 1024], [1, 4])
  func bursts(block: Int, burst: Int) throws {
    let library = try #require(FluidLibrary.loaded)
    let synth = try #require(FluidSynth(path: font, sampleRate: 48_000, library: library))
    let alone = try #require(FluidSynth(path: font, sampleRate: 48_000, library: library))
    library.useOneCore()
    // As if no device was open when it was prepared: 32 frames and 3 ms.
    let fluid = try FluidThread(synth, delay: 32 + 144, runsItself: false)
    // An organ, which is never silent.
    for command in [
      FluidThread.Command(kind: .preset, first: 16),
      FluidThread.Command(kind: .noteOn, first: 60, second: 100),
    ] {
      fluid.send(command)
      alone.execute(command)
    }
    var (late, direct): ([Float], [Float]) = ([], [])
    var samples = [Float](repeating: 0, count: 2 * 32)
    func play(_ frames: Int) {
      for _ in 0..<frames / 32 {
        samples.withUnsafeMutableBufferPointer { samples in
          guard let start = samples.baseAddress else { return }
          alone.write(start, frames: 32)
          direct += samples
          for index in samples.indices { samples[index] = 0 }
          var block = AudioBlock(
            output: samples.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: 32, sampleRate: 48_000)
          fluid.render(&block)
        }
        late += samples
      }
    }
    while late.count < 2 * 48_000 {
      play(block * burst)
      // All known frames, without waiting.
      fluid.advance()
    }
    #expect(fluid.missed == 0)
    #expect(fluid.delay <= max(176, block * burst + 2 * 144 + 32))
    func follows(_ delay: Int) -> Bool {
      late[48_000...].elementsEqual(direct[(48_000 - 2 * delay)..<(direct.count - 2 * delay)])
    }
    #expect(follows(fluid.delay))
    // A device that requests twice as many frames takes over.
    let before = fluid.delay
    late.removeAll()
    direct.removeAll()
    while late.count < 2 * 48_000 {
      play(2 * block * burst)
      fluid.advance()
    }
    #expect(fluid.missed == 0)
    #expect(fluid.delay >= before && follows(fluid.delay))
  }

  /// The first two synths of a process, created at the same time on two threads; each attempt needs its own
  /// process.
  @Test("the first two synths of a process sound the same", arguments: 0..<4)
  func first(_: Int) async {
    await #expect(processExitsWith: .success) {
      let takes = Locked([[Float]]())
      let threads = try (0..<2).map { _ in
        try MoThread(name: "first") { _ in
          guard let library = FluidLibrary.loaded,
            let synth = FluidSynth(
              path: "/usr/share/sounds/sf2/TimGM6mb.sf2", sampleRate: 48_000, library: library)
          else { return }
          library.useOneCore()
          synth.execute(FluidThread.Command(kind: .noteOn, first: 60, second: 100))
          var samples = [Float](repeating: 0, count: 2 * 9600)
          samples.withUnsafeMutableBufferPointer { samples in
            if let start = samples.baseAddress { synth.write(start, frames: 9600) }
          }
          takes.withLock { $0.append(samples) }
        }
      }
      for thread in threads { thread.join() }
      takes.withLock { takes in
        precondition(takes.count == 2)
        precondition(takes[0] == takes[1])
      }
    }
  }

  /// Returns the sound of a SoundFont for some events, each at the beginning of a given second.
  private func take(_ course: [(event: InstrumentEvent?, seconds: Double)]) throws -> [[Float]] {
    var instrument = try SoundFont(path: font)
    instrument.prepare(sampleRate: 48_000, delay: nil)
    // An organ, which sounds for as long as a key is held.
    let glides = [ControlGlide(0), ControlGlide(16)]
    return try glides.withUnsafeBufferPointer { glides in
      let controls = Controls<SoundFont.Control>(try #require(glides.baseAddress))
      return course.map { event, seconds in
        if let event { instrument.handle(event, controls) }
        return render(&instrument, controls, seconds: seconds, 48_000)
      }
    }
  }

  @Test("a key that is struck again is held until its last stroke is released")
  func repeated() throws {
    let sound = try take([
      (.noteOn(Note(60, id: 1)), 0.3), (.noteOn(Note(60, id: 2)), 0.5), (.noteOff(Note(60, id: 1)), 1),
      (.noteOff(Note(60, id: 2)), 2),
    ])
    let (held, ended) = (AudioMeasures.rms(sound[2].suffix(9600)), AudioMeasures.rms(sound[3].suffix(9600)))
    #expect(held > 0.5 * AudioMeasures.rms(sound[1].suffix(9600)))
    #expect(ended < 0.01 * held)
  }

  @Test("a note ends by its ID, whatever pitch its end has")
  func identity() throws {
    let sound = try take([(.noteOn(Note(60, id: -10)), 0.5), (.noteOff(Note(64, id: -10)), 2)])
    #expect(AudioMeasures.rms(sound[1].suffix(9600)) < 0.01 * AudioMeasures.rms(sound[0].suffix(9600)))
  }

  @Test("a stroke is released automatically")
  func stroke() throws {
    let sound = try take([(.strike(0.8), 0.2), (nil, 2)])
    #expect(AudioMeasures.rms(sound[0].suffix(4800)) > 0.005)
    #expect(AudioMeasures.rms(sound[1].suffix(9600)) < 0.01 * AudioMeasures.rms(sound[0].suffix(4800)))
  }

  @Test("the end of a note is accepted when the queue is full")
  func crowd() throws {
    let library = try #require(FluidLibrary.loaded)
    let fluid = try FluidThread(
      try #require(FluidSynth(path: font, sampleRate: 48_000, library: library)), delay: 400)
    fluid.send(FluidThread.Command(kind: .preset, first: 16))
    fluid.send(FluidThread.Command(kind: .noteOn, first: 60, second: 100))
    for _ in 0..<2000 { fluid.send(FluidThread.Command(kind: .bend, first: 8192)) }
    var samples = [Float](repeating: 0, count: 2 * 64)
    func loudest(seconds: Double) -> Float {
      var loudest: Float = 0
      for _ in 0..<Int(seconds * 750) {
        samples.withUnsafeMutableBufferPointer { samples in
          var block = AudioBlock(
            output: samples.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: 64, sampleRate: 48_000)
          fluid.render(&block)
        }
        while !fluid.isCaughtUp {}
        loudest = max(loudest, samples.reduce(0) { max($0, abs($1)) })
      }
      return loudest
    }
    fluid.send(FluidThread.Command(kind: .noteOff, first: 60))
    #expect(loudest(seconds: 0.1) > 0.01)
    _ = loudest(seconds: 2)
    #expect(loudest(seconds: 0.1) < 0.001)
  }

  @Test("with 128 held notes another one ends the oldest, and a key is released with its last note")
  func heldKeys() {
    var keys = HeldKeys()
    for id in 0..<Int32(128) { #expect(keys.start(id: id, on: id / 2) == nil) }
    #expect(keys.start(id: 500, on: 90) == nil)  // key 0 has its second note
    #expect(keys.start(id: 501, on: 91) == 0)
    #expect(keys.end(id: 0) == nil && keys.end(id: 1) == nil)  // they have made room
    #expect(keys.end(id: 2) == nil && keys.end(id: 3) == 1)
    #expect(keys.start(id: 500, on: 92) == 90)  // the same note on another key
    #expect(keys.start(id: 500, on: 92) == nil)
    #expect(keys.end(id: 500) == 92 && keys.end(id: 500) == nil)
  }

  @Test("is silent without a file")
  func none() {
    var instrument = SoundFont(seed: 1)
    instrument.prepare(sampleRate: 48_000, delay: nil)
    let glides = [ControlGlide(0), ControlGlide(0)]
    glides.withUnsafeBufferPointer { glides in
      guard let start = glides.baseAddress else { return }
      #expect(render(&instrument, Controls(start), seconds: 0.1, 48_000).allSatisfy { $0 == 0 })
    }
  }
}
