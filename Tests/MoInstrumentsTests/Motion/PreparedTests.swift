import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("An instrument that is prepared again")
struct PreparedTests {
  /// Returns the sound of an instrument after some events, with default parameters.
  private func sound<Sound: Instrument>(_ instrument: inout Sound, _ events: [InstrumentEvent], frames: Int)
    throws -> [Float]
  {
    var glides = Sound.Control.allCases.map { ControlGlide($0.parameter.initial) }
    return try glides.withUnsafeMutableBufferPointer { glides in
      let controls = Controls<Sound.Control>(UnsafePointer(try #require(glides.baseAddress)))
      for event in events { instrument.handle(event, controls) }
      var samples = [Float](repeating: 0, count: 2 * frames)
      samples.withUnsafeMutableBufferPointer { samples in
        var block = AudioBlock(
          output: samples.mutableSpan, input: Span(), outputs: 2, inputs: 0, frames: frames,
          sampleRate: 48_000)
        instrument.render(&block, controls)
      }
      return samples
    }
  }

  @Test("forgets the bend and the last note: drone")
  func drone() throws {
    var (used, new) = (Drone(seed: 1), Drone(seed: 1))
    used.prepare(sampleRate: 48_000, blockFrames: 32)
    new.prepare(sampleRate: 48_000, blockFrames: 32)
    _ = try sound(&used, [.bend(7), .noteOn(Note(50)), .noteOff(Note(50))], frames: 4800)
    used.prepare(sampleRate: 48_000, blockFrames: 32)
    #expect(try sound(&used, [.strike(0.8)], frames: 9600) == sound(&new, [.strike(0.8)], frames: 9600))
  }

  @Test("forgets the bend, and does not glide from the last note: reed")
  func reed() throws {
    var used = ReedInstrument(seed: 1)
    used.prepare(sampleRate: 48_000, blockFrames: 32)
    _ = try sound(&used, [.bend(7), .noteOn(Note(76)), .noteOff(Note(76))], frames: 4800)
    used.prepare(sampleRate: 48_000, blockFrames: 32)
    let played = try sound(&used, [.noteOn(Note(57))], frames: 48_000)
    let left = stride(from: 24_000, to: 96_000, by: 2).map { played[$0] }
    let cents = Frequency.cents(left, from: 0, near: 220, sampleRate: 48_000)
    #expect(abs(try #require(cents)) < 5)
  }

  @Test("a continuous drone returns to its root after a note")
  func root() throws {
    var render = try InstrumentRender("drone")
    render.set("level", to: 0.6, at: 0)
    render.set("sweep", to: 0.2, at: 0)
    render.set("root", to: 33, at: 0)
    render.note(45, from: 4800, to: 48_000)
    let take = try render.take(seconds: 4)
    // A1; while A2 is held, 55 Hz is silent, but present before and after.
    func low(_ frames: Range<Int>) -> Double { Loudest.size(Array(take.left[frames]), 55 / 48_000) }
    #expect(low(96_000..<144_000) > 10 * low(19_200..<43_200))
  }
}
