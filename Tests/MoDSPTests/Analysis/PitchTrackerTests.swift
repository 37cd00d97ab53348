import Glibc
import MoDSP
import MoTesting
import Testing

@Suite("Pitch tracker")
struct PitchTrackerTests {
  /// All estimates of a sound after it fills the window.
  private func listen(_ samples: [Float], sampleRate: Double = 48_000) -> [Pitch] {
    let tracker = PitchTracker(sampleRate: sampleRate)
    var heard: [Pitch] = []
    for (index, sample) in samples.enumerated() where tracker.tick(sample) {
      if Double(index) > 0.09 * sampleRate { heard.append(tracker.pitch) }
    }
    return heard
  }

  /// Frequencies from 40 Hz to 2 kHz that are no fraction of a sample rate.
  private static let frequencies = (0..<18).map { 40.03 * pow(1999 / 40.03, Double($0) / 17) }

  @Test(
    "measures a steady tone to within half a cent, with high confidence",
    arguments: [Tones.Timbre.sine, .sawtooth, .square], [44_100.0, 48_000, 96_000])
  func steady(timbre: Tones.Timbre, sampleRate: Double) {
    for frequency in Self.frequencies {
      let tone = Tones.tone(frequency, timbre, sampleRate: sampleRate)
      let heard = listen(tone, sampleRate: sampleRate)
      #expect(heard.count >= 9)
      #expect(
        heard.allSatisfy { abs(cents($0.frequency, frequency)) < 0.5 && $0.confidence > 0.95 },
        "\(frequency) \(heard)")
    }
  }

  @Test("detects a missing fundamental")
  func missingFundamental() {
    for frequency in Self.frequencies where frequency < 900 {
      let heard = listen(Tones.tone(frequency, .hollow))
      #expect(
        heard.allSatisfy { abs(cents($0.frequency, frequency)) < 2 && $0.confidence > 0.9 },
        "\(frequency) \(heard)")
    }
  }

  @Test("measures a tone in noise 20 dB softer to within 4 cents", arguments: 1...3)
  func noise(seed: Int) {
    for frequency in Self.frequencies {
      let tone = Tones.tone(frequency, .sawtooth)
      let heard = listen(Tones.noisy(tone, rms: AudioMeasures.rms(tone) / 10, seed: UInt64(seed)))
      #expect(
        heard.allSatisfy { abs(cents($0.frequency, frequency)) < 4 && $0.clear != nil },
        "\(frequency) \(heard)")
    }
  }

  @Test("has low confidence in noise, and detects nothing in silence, a constant or NaN")
  func nothing() {
    let noise = Tones.noisy([Float](repeating: 0, count: 48_000), rms: 0.2, seed: 5)
    #expect(listen(noise).allSatisfy { $0.clear == nil })
    #expect(listen([Float](repeating: 0, count: 48_000)).allSatisfy { $0 == .none })
    #expect(listen([Float](repeating: 0.7, count: 48_000)).allSatisfy { $0 == .none })
    #expect(listen([Float](repeating: .nan, count: 48_000)).allSatisfy { $0 == .none })
  }

  @Test("recovers after NaN, and after samples that are finite but huge", arguments: [8000.0, 48_000])
  func recovery(sampleRate: Double) {
    let tracker = PitchTracker(sampleRate: sampleRate)
    let single: [Float] = [.nan, .infinity, -.infinity, 1e30, .greatestFiniteMagnitude]
    for sample in single + Array(repeating: 2.5e38, count: 300) { tracker.tick(sample) }
    for sample in Tones.tone(440, .sine, seconds: 0.5, sampleRate: sampleRate) { tracker.tick(sample) }
    #expect(abs(cents(tracker.pitch.frequency, 440)) < 2)
  }

  @Test("gives the same estimates in blocks of 1, 64 and 512")
  func blocks() {
    let sound = Tones.tone(111, .sawtooth) + Tones.tone(1234, .sine)
    func heard(_ size: Int) -> [Pitch] {
      let tracker = PitchTracker()
      var pitches: [Pitch] = []
      for start in stride(from: 0, to: 512 * (sound.count / 512), by: size) {
        tracker.process(sound[start..<start + size].span)
        if (start + size) % 512 == 0 { pitches.append(tracker.pitch) }
      }
      return pitches
    }
    #expect(heard(1) == heard(64))
    #expect(heard(1) == heard(512))
    #expect(heard(1).contains { $0.clear != nil })
  }

  @Test("follows a change within 70 ms, and vibrato to within 15 cents")
  func following() {
    let tracker = PitchTracker(lowest: 80)
    for sample in Tones.tone(220, .sawtooth) { tracker.tick(sample) }
    let next = Tones.tone(330, .sawtooth, seconds: 0.07)
    for sample in next { tracker.tick(sample) }
    #expect(abs(cents(tracker.pitch.frequency, 330)) < 2)

    // A quarter tone up and down, five times per second; the delay with the least error is used.
    var (phase, wanted, heard): (Double, [Double], [(frame: Int, frequency: Float)]) = (0, [], [])
    for index in 0..<96_000 {
      let frequency = 440 * pow(2, 0.5 / 12 * sin(2 * .pi * 5 * Double(index) / 48_000))
      wanted.append(frequency)
      phase += 2 * .pi * frequency / 48_000
      if tracker.tick(Float(0.3 * sin(phase))), index > 9600 {
        heard.append((index, tracker.pitch.frequency))
      }
    }
    let errors = stride(from: 0, to: 4800, by: 100).map { delay in
      heard.map { abs(cents($0.frequency, wanted[$0.frame - delay])) }.max() ?? 99
    }
    #expect((errors.min() ?? 99) < 15)
  }

  @Test("clamps its limits, and forgets the old sound at a new rate")
  func limits() {
    let odd = PitchTracker(lowest: -5, highest: 1)
    #expect(odd.lowest == 20)
    #expect(odd.highest == 40)
    let tracker = PitchTracker(lowest: 9000, highest: 1e9)
    #expect(tracker.lowest == 2000)
    #expect(tracker.highest == 5000)
    for sample in Tones.tone(3000, .sine) { tracker.tick(sample) }
    #expect(abs(cents(tracker.pitch.frequency, 3000)) < 2)
    tracker.prepare(sampleRate: 8000)
    #expect(tracker.pitch == .none)
    #expect(tracker.estimates == 0)
  }
}
