import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("The drum kit", .everyOutputPath)
struct DrumKitTests {
  private func play(
    _ sounds: [(frame: Int, sound: DrumSound, force: Float)], seconds: Double, seed: UInt64 = 3
  )
    -> [Float]
  {
    var kit = DrumKit(seed: seed, sampleRate: 48_000)
    return (0..<Int(seconds * 48_000)).map { frame in
      for stroke in sounds where stroke.frame == frame { kit.strike(stroke.sound, stroke.force) }
      return kit.tick().x
    }
  }

  @Test(
    "every drum begins at its frame, is audible, stays below −1 dBFS and ends", arguments: DrumSound.allCases)
  func sounds(sound: DrumSound) {
    let samples = play([(100, sound, 1)], seconds: 6.1)
    let first = samples.firstIndex { $0 != 0 } ?? 0
    #expect((100...102).contains(first))
    #expect(AudioMeasures.isFinite(samples))
    let peak = AudioMeasures.peak(samples)
    #expect(peak > 0.1 && peak <= 0.891)
    #expect(samples.suffix(4800).allSatisfy { $0 == 0 })
    let mean = samples.reduce(0.0) { $0 + Double($1) } / Double(samples.count)
    #expect(abs(mean) < 1e-4)
  }

  @Test("all drums together at full force stay below −1 dBFS")
  func all() {
    let strokes = (0..<8).flatMap { time in DrumSound.allCases.map { (time * 3001, $0, Float(1)) } }
    #expect(AudioMeasures.peak(play(strokes, seconds: 1)) <= 0.891)
  }

  @Test("a harder stroke is louder", arguments: DrumSound.allCases)
  func force(sound: DrumSound) {
    let levels = [Float(0.2), 0.5, 1].map { AudioMeasures.rms(play([(0, sound, $0)], seconds: 0.5)) }
    #expect(levels[0] < levels[1] && levels[1] < levels[2])
  }

  /// A click is a step that the drum's own sound lacks; it is measured on the low drums, in which it would
  /// show most.
  @Test("a stroke into a ringing drum does not click", arguments: [DrumSound.kick, .lowTom, .highTom])
  func ringing(sound: DrumSound) {
    func bend(_ samples: ArraySlice<Float>) -> Float {
      zip(zip(samples, samples.dropFirst()), samples.dropFirst(2)).reduce(0) { most, three in
        max(most, abs(three.0.0 - 2 * three.0.1 + three.1))
      }
    }
    let alone = bend(play([(0, sound, 1)], seconds: 0.2)[...])
    for again in stride(from: 1500, to: 4000, by: 271) {
      let samples = play([(0, sound, 1), (again, sound, 1)], seconds: 0.2)
      #expect(bend(samples[(again - 50)...]) < 1.5 * alone + 0.01)
    }
  }

  @Test("the closed hi-hat silences the open one")
  func choke() {
    let open = play([(0, .openHat, 0.9)], seconds: 0.5)
    let closed = play([(0, .openHat, 0.9), (4800, .closedHat, 0.9)], seconds: 0.5)
    #expect(AudioMeasures.rms(closed[12_000...]) < 0.1 * AudioMeasures.rms(open[12_000...]))
  }

  @Test("the same seed gives the same sound, another seed another")
  func seeds() {
    let strokes = [(0, DrumSound.snare, Float(0.8))]
    #expect(play(strokes, seconds: 0.1) == play(strokes, seconds: 0.1))
    #expect(play(strokes, seconds: 0.1) != play(strokes, seconds: 0.1, seed: 4))
  }

  @Test("General MIDI keys strike their drums")
  func keys() {
    let expected: [(Float, DrumSound)] = [
      (36, .kick), (38, .snare), (39, .clap), (42, .closedHat), (46, .openHat), (45, .lowTom), (50, .highTom),
      (56, .cowbell), (37, .rim), (49, .crash), (35.6, .kick),
    ]
    for (key, sound) in expected { #expect(DrumSound(note: key) == sound) }
    for key in [Float.nan, -5, 300] { #expect(DrumSound.allCases.contains(DrumSound(note: key))) }
  }

  @Test("a recorded drum plays unchanged, and fades out within 3 ms when struck again")
  func samples() throws {
    let rig = BeatRig(tempo: 120)
    let board = DrumBoard(rhythm: rig.rhythm, author: 1)
    try board.load("kick XX")
    board.setLevel(1, row: 0)
    let ramp = (0..<48_000).map { 0.3 + 0.1 * Float($0) / 48_000 }
    var machine = DrumMachine(board, samples: SampleKit([SoundBuffer(ramp, sampleRate: 48_000)]), seed: 1)
    machine.prepare(sampleRate: 48_000, blockFrames: 512)
    rig.rhythm.start()
    var heard: [Float] = []
    rig.run(frames: 8000) { block in
      withoutControls { machine.render(&block, $0) }
      for frame in block.frames { heard.append(block[frame, 0]) }
    }
    #expect(heard[3000] == ramp[3000])
    // The second stroke, at 6000, adds to the old one, which ends 144 frames later.
    #expect(heard[6000] > 0.5)
    #expect(heard[6150] == ramp[150])
  }
}
