import MoDSP
import MoTesting
import Testing

@Suite("Drum")
struct DrumTests {
  @Test("a change of the frequency applies to the sound that rings, and is clamped")
  func tuned() throws {
    var drum = Drum(frequency: 80, sampleRate: 48_000, seed: 1)
    drum.strike(0.5)
    _ = render(4800) { drum.tick() }
    drum.frequency = 196
    _ = render(14_400) { drum.tick() }
    let settled = render(14_400) { drum.tick() }
    let pitch = try #require(AudioMeasures.pitch(settled, sampleRate: 48_000, within: 50...400))
    #expect(abs(pitch / 196 - 1) < 0.0018)
    for (value, wanted) in [(Float.nan, 20), (5, 20), (9000, 2000)] as [(Float, Float)] {
      drum.frequency = value
      #expect(drum.frequency == wanted)
    }
  }

  @Test(
    "settles at its frequency, within 3 cents", arguments: [80, 110, 196] as [Float], [44_100.0, 48_000])
  func pitch(frequency: Float, sampleRate: Double) throws {
    var drum = Drum(frequency: frequency, sampleRate: sampleRate, seed: 1)
    drum.strike(0.5)
    _ = render(Int(0.4 * sampleRate)) { drum.tick() }
    let settled = render(Int(0.3 * sampleRate)) { drum.tick() }
    let pitch = try #require(AudioMeasures.pitch(settled, sampleRate: sampleRate, within: 50...400))
    #expect(abs(pitch / Double(frequency) - 1) < 0.0018)
  }

  @Test("has no constant offset at the lowest sample rate and the highest frequency")
  func lowRate() {
    var drum = Drum(frequency: 2000, sampleRate: 4000, seed: 1)
    drum.strike(1)
    let samples = render(2000) { drum.tick() }
    #expect(AudioMeasures.rms(samples) > 0.05)
    #expect(abs(samples.reduce(0, +) / 2000) < 0.05)
  }

  @Test("is louder and brighter for a harder stroke")
  func force() {
    func stroke(_ force: Float) -> (level: Double, brightness: Double) {
      var drum = Drum(seed: 1)
      drum.strike(force)
      let samples = render(4800) { drum.tick() }
      let slope = zip(samples, samples.dropFirst()).map { $1 - $0 }
      return (AudioMeasures.rms(samples), AudioMeasures.rms(slope) / AudioMeasures.rms(samples))
    }
    let strokes = ([0.1, 0.3, 0.6, 1] as [Float]).map(stroke)
    for (soft, hard) in zip(strokes, strokes.dropFirst()) {
      #expect(hard.level > 1.3 * soft.level)
      #expect(hard.brightness > soft.brightness)
    }
  }

  @Test("is silent until struck, and exactly silent within 3 s of a stroke", arguments: [0.01, 1] as [Float])
  func silence(force: Float) {
    var drum = Drum(seed: 1)
    #expect(AudioMeasures.peak(render(1000) { drum.tick() }) == 0)
    drum.strike(force)
    #expect(AudioMeasures.peak(render(48_000) { drum.tick() }) > 0)
    _ = render(96_000) { drum.tick() }
    #expect(AudioMeasures.peak(render(48_000) { drum.tick() }) == 0)
  }

  @Test("adds a stroke to a ringing drum without a step beyond that of the stroke itself")
  func retrigger() {
    func largestStep(_ samples: [Float]) -> Float {
      AudioMeasures.peak(zip(samples, samples.dropFirst()).map { $1 - $0 })
    }
    var fresh = Drum(seed: 1)
    fresh.strike(1)
    let alone = largestStep(render(4800) { fresh.tick() })
    for delay in stride(from: 1, to: 4000, by: 37) {
      var drum = Drum(seed: 1)
      drum.strike(1)
      let before = render(delay) { drum.tick() }
      drum.strike(1)
      #expect(largestStep(before.suffix(1) + render(4800) { drum.tick() }) < 1.5 * alone)
    }
  }

  @Test("is finite and bounded for invalid forces", arguments: [0, -1, 5, .infinity, .nan] as [Float])
  func nonsense(force: Float) {
    var drum = Drum(seed: 1)
    drum.strike(force)
    let samples = render(4800) { drum.tick() }
    #expect(AudioMeasures.isFinite(samples))
    #expect(AudioMeasures.peak(samples) <= 0.6)
    #expect((AudioMeasures.peak(samples) > 0) == (force > 0))
  }
}
