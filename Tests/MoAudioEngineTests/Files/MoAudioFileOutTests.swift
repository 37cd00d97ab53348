import Glibc
import MoAudioEngine
import MoCore
import MoRuntime
import MoTesting
import Testing

@Suite("Writer of a sound file")
struct MoAudioFileOutTests {
  @Test(
    "writes the samples of a file again bit for bit",
    arguments: [MoAudioFileOut.Format.int16, .int24, .float32])
  func roundTrip(format: MoAudioFileOut.Format) throws {
    let temporary = TemporaryFolder()
    _ = temporary.writeAll()
    let name = format == .int16 ? "s16" : format == .int24 ? "s24" : "f32"
    let sound = try SoundBuffer(temporary.path(name + ".wav"))
    let out = try MoAudioFileOut(temporary.path("again.wav"), channels: 2, sampleRate: 44_100, format: format)
    for frame in 0..<sound.frames { out.tick(sound[frame, 0], sound[frame, 1]) }
    out.close()
    #expect(out.droppedFrames == 0)
    #expect(out.failure == nil)
    #expect(Pattern.isIn(try SoundBuffer(temporary.path("again.wav"))))
    // SoX finds the same samples in both, too.
    let same = temporary.shell(
      "sox \(name).wav -t raw a.raw && sox again.wav -t raw b.raw && cmp a.raw b.raw")
    #expect(same.status == 0, "\(same.text)")
  }

  @Test("keeps sound below the last bit with dither, as a tone in independent noise")
  func dither() throws {
    let temporary = TemporaryFolder()
    let frames = 1 << 17
    // A third of the last bit, 64 frames per cycle: rounding would remove it.
    let tone = (0..<frames).map { Float(sin(2 * .pi * Double($0) / 64)) * 0x1p-15 / 3 }
    func written(_ format: MoAudioFileOut.Format) throws -> [Double] {
      let out = try MoAudioFileOut(temporary.path("soft.wav"), channels: 1, format: format)
      out.write(tone.span)
      out.close()
      let sound = try SoundBuffer(temporary.path("soft.wav"))
      return (0..<frames).map { Double(sound[$0]) * 0x1p15 }
    }
    let rounded = try written(.int16)
    #expect(rounded.allSatisfy { $0 == 0 })
    let dithered = try written(.dithered16(seed: 1))
    let carrier = (0..<frames).map { sin(2 * .pi * Double($0) / 64) }
    let amplitude = zip(dithered, carrier).reduce(0) { $0 + $1.0 * $1.1 } * 2 / Double(frames)
    #expect(abs(amplitude - 1.0 / 3) < 0.01)
    // Triangular dither: the error has no mean, and a quarter of a bit squared, also at the tone's maxima.
    let errors = zip(dithered, tone).map { $0 - Double($1) * 0x1p15 }
    for part in [errors, errors.indices.filter { $0 % 64 == 16 }.map { errors[$0] }] {
      #expect(abs(part.reduce(0, +) / Double(part.count)) < 0.05)
      #expect(abs(part.reduce(0) { $0 + $1 * $1 } / Double(part.count) - 0.25) < 0.03)
    }
    #expect(try written(.dithered16(seed: 1)) == dithered)
    #expect(try written(.dithered16(seed: 2)) != dithered)
  }

  @Test("writes a sound that is longer than the queue whole, on any thread")
  func long() throws {
    let temporary = TemporaryFolder()
    let samples = (0..<480_000).map { Float($0 % 1000 + 1) / 1024 }
    let out = try MoAudioFileOut(temporary.path("long.wav"), channels: 1)
    let thread = try MoThread(name: "writer") { _ in out.write(samples.span) }
    thread.join()
    for sample in samples { out.tick(sample) }
    out.close()
    let sound = try SoundBuffer(temporary.path("long.wav"))
    #expect(sound.frames == 960_000 && out.droppedFrames == 0)
    let isSame = (0..<sound.frames).allSatisfy { sound[$0] == samples[$0 % 480_000] }
    #expect(isSame)
  }

  @Test("in the audio callback, keeps at least four seconds of a longer sound, and then writes silence")
  func longInCallback() throws {
    let temporary = TemporaryFolder()
    let samples = [Float](repeating: 0.5, count: 1_920_000)
    let out = try MoAudioFileOut(temporary.path("long.wav"), channels: 1)
    RealTimeCheck.enter()
    out.write(samples.span)
    RealTimeCheck.leave()
    out.close()
    let sound = try SoundBuffer(temporary.path("long.wav"))
    #expect(sound.frames == 1_920_000 && out.droppedFrames > 0)
    let isKept = (0..<192_000).allSatisfy { sound[$0] == 0.5 }
    #expect(isKept)
    let silent = (0..<sound.frames).count { sound[$0] == 0 }
    #expect(silent == out.droppedFrames)
  }

  @Test("writes length, rate, channels and peak that SoX reads")
  func sox() throws {
    let temporary = TemporaryFolder()
    let out = try MoAudioFileOut(temporary.path("made.wav"), channels: 5, sampleRate: 96_000)
    for index in 0..<9600 { out.tick(index == 77 ? -0.5 : 0.25) }
    out.close()
    let info = temporary.shell(
      "soxi -s -r -c -b made.wav; soxi -s made.wav; soxi -r made.wav; soxi -c made.wav")
    #expect(info.lines.suffix(3) == ["9600", "96000", "5"])
    let peak = temporary.shell("sox made.wav -n stat 2>&1 | grep 'Minimum amplitude'")
    #expect(peak.text.contains("-0.500000"))
  }

  @Test("keeps floats beyond full scale, clamps integers, and silences NaN")
  func beyond() throws {
    let temporary = TemporaryFolder()
    let odd: [Float] = [2, -3, .nan, .infinity, 0.5]
    for (format, wanted): (MoAudioFileOut.Format, [Float]) in [
      (.float32, [2, -3, 0, 0, 0.5]), (.int16, [1 - 0x1p-15, -1, 0, 1 - 0x1p-15, 0.5]),
    ] {
      let out = try MoAudioFileOut(temporary.path("odd.wav"), channels: 1, format: format)
      out.write(odd.span)
      out.close()
      let sound = try SoundBuffer(temporary.path("odd.wav"))
      #expect((0..<5).map { sound[$0] } == wanted)
    }
  }

  @Test("accepts one sample or two for any number of channels")
  func shapes() throws {
    let temporary = TemporaryFolder()
    for (channels, wanted): (Int, [Float]) in [
      (1, [0.25, 0.125]), (2, [0.25, 0.25, 0.25, 0]), (3, [0.25, 0.25, 0.25, 0.25, 0, 0]),
    ] {
      let out = try MoAudioFileOut(temporary.path("shape.wav"), channels: channels, format: .float32)
      out.tick(0.25)
      out.tick(0.25, 0)
      out.write([0.1].span)
      out.close()
      let sound = try SoundBuffer(temporary.path("shape.wav"))
      let samples = (0..<sound.frames).flatMap { frame in (0..<channels).map { sound[frame, $0] } }
      #expect(Array(samples.prefix(wanted.count)) == wanted)
      #expect(sound.frames == (channels == 1 ? 3 : 2))
    }
  }

  @Test(
    "has the rate of the device as a state of the callback, unless the program chose a rate",
    arguments: [nil, 22_050] as [Double?])
  func deviceRate(chosen: Double?) throws {
    let temporary = TemporaryFolder()
    let take = try MoAudioFileOut(temporary.path("take.wav"), channels: 1, sampleRate: chosen)
    let clock = ManualClock()
    let card = FakeCard(sampleRate: 44_100, inputs: 1, clock: clock)
    let engine = engine(
      card, clock,
      StateCallback.make(take) { take, block in
        for frame in block.frames { take.tick(block.input(frame)) }
      })
    try engine.start()
    for _ in 0..<20 { engine.cycle() }
    take.close()
    let sound = try SoundBuffer(temporary.path("take.wav"))
    #expect(sound.sampleRate == chosen ?? 44_100)
    #expect(sound.frames == 20 * 256)
  }

  @Test("refuses a rate that is not above 0, such as that of a stopped device", arguments: [0, -1, .nan])
  func noRate(rate: Double) {
    let error = #expect(throws: AudioError.self) {
      try MoAudioFileOut(TemporaryFolder().path("take.wav"), sampleRate: rate)
    }
    #expect(error?.description.contains("a sampleRate of \(rate) is not above 0 Hz; leave it out") == true)
  }

  @Test("throws immediately if the path is not writable")
  func refused() {
    let error = #expect(throws: AudioError.self) { try MoAudioFileOut("/nonexistent/a.wav") }
    #expect(error?.description == "cannot write /nonexistent/a.wav: the folder does not exist; make it first")
  }
}
