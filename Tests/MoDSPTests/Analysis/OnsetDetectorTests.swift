import Glibc
import MoDSP
import MoTesting
import Testing

@Suite("Onset detector")
struct OnsetDetectorTests {
  /// The onsets of a sound, and the times at which they were known, in seconds.
  private func listen(
    _ sound: [Float], sampleRate: Double = 48_000, sensitivity: Float = 0
  ) -> [(began: Double, known: Double)] {
    var detector = OnsetDetector(sensitivity: sensitivity, sampleRate: sampleRate)
    var heard: [(began: Double, known: Double)] = []
    for (index, sample) in sound.enumerated() {
      guard let onset = detector.tick(sample) else { continue }
      heard.append((Double(index - onset.age) / sampleRate, Double(index) / sampleRate))
    }
    return heard
  }

  /// Notes (start, frequency, decay, level) of five sines each, at full level within 3 ms.
  private func tune(_ notes: [[Double]], seconds: Double, sampleRate: Double) -> [Float] {
    var sound = [Double](repeating: 0, count: Int(seconds * sampleRate))
    for note in notes {
      let first = Int(note[0] * sampleRate)
      for index in first..<min(sound.count, first + Int(8 * note[2] * sampleRate)) {
        let time = Double(index - first) / sampleRate
        var wave = 0.0
        for number in 1...5 { wave += sin(2 * .pi * note[1] * Double(number) * time) / Double(number) / 2 }
        sound[index] += note[3] * min(time / 0.003, 1) * exp(-time / note[2]) * wave
      }
    }
    return sound.map { Float($0) }
  }

  /// Returns the number of onsets within a tolerance of another list's onsets.
  private func matches(_ onsets: [Double], _ others: [Double], within tolerance: Double) -> Int {
    onsets.count { onset in others.contains { abs($0 - onset) < tolerance } }
  }

  @Test("detects every click and burst after silence, to within 3 ms", arguments: [44_100.0, 48_000, 96_000])
  func outOfSilence(sampleRate: Double) {
    for length in [1, 100, 4000] {
      var random = TestRandom(seed: 2)
      var sound = [Float](repeating: 0, count: Int(5 * sampleRate))
      let starts = (1...20).map { Int(0.2217 * Double($0) * sampleRate) }
      for start in starts {
        for index in start..<start + length {
          sound[index] = length == 1 ? 0.9 : Float(random.uniform() - 0.5)
        }
      }
      let heard = listen(sound, sampleRate: sampleRate)
      #expect(heard.count == starts.count)
      for (onset, start) in zip(heard, starts) {
        #expect(abs(onset.began - Double(start) / sampleRate) < 0.003)
        #expect(onset.known - Double(start) / sampleRate < 0.005)
      }
    }
  }

  @Test(
    "detects 90 % of the overlapping notes of a tune within 15 ms, and nothing else",
    arguments: [44_100.0, 48_000, 96_000])
  func tune(sampleRate: Double) {
    let sound = tune(OnsetValues.notes, seconds: OnsetValues.seconds, sampleRate: sampleRate)
    let heard = listen(sound, sampleRate: sampleRate)
    let starts = OnsetValues.notes.map { $0[0] }
    let found = matches(starts, heard.map(\.began), within: 0.015)
    #expect(found >= starts.count * 9 / 10)
    #expect(found == heard.count)
    #expect(found >= matches(starts, OnsetValues.aubio, within: 0.015))
    #expect(heard.allSatisfy { $0.known - $0.began < 0.02 })
  }

  @Test("detects nine in ten of the onsets that aubio detects, to within 25 ms")
  func aubio() {
    let sound = tune(OnsetValues.notes, seconds: OnsetValues.seconds, sampleRate: 48_000)
    let heard = listen(sound).map(\.began)
    #expect(matches(OnsetValues.aubio, heard, within: 0.025) >= OnsetValues.aubio.count * 9 / 10)
  }

  @Test("detects one onset in a steady tone or noise, also in a low tone")
  func steady() {
    for frequency in [28.0, 40, 55, 110, 440, 3000] {
      let tone = Tones.tone(frequency, .sawtooth, seconds: 2)
      #expect(listen(tone).count == 1, "\(frequency)")
    }
    for seed in 1...10 {
      let noise = Tones.noisy([Float](repeating: 0, count: 240_000), rms: 0.1, seed: UInt64(seed))
      #expect(listen(noise).count == 1)
    }
  }

  @Test("detects strokes through noise and a held tone 20 dB softer")
  func covered() {
    let starts = (1...15).map { 0.3 * Double($0) }
    let strokes = tune(starts.map { [$0, 180, 0.05, 0.5] }, seconds: 5, sampleRate: 48_000)
    let held = Tones.tone(300, .sawtooth, seconds: 5)
    let sound = Tones.noisy(zip(strokes, held).map { $0 + $1 * 0.08 }, rms: 0.02, seed: 3)
    let heard = listen(sound).map(\.began).dropFirst()
    #expect(heard.count == starts.count)
    #expect(matches(starts, Array(heard), within: 0.012) == starts.count)
  }

  @Test("detects nothing in silence, below the silence level, or in NaN")
  func silence() {
    #expect(listen([Float](repeating: 0, count: 48_000)).isEmpty)
    #expect(listen([Float](repeating: .nan, count: 48_000)).isEmpty)
    let soft = Tones.noisy([Float](repeating: 0, count: 48_000), rms: 0.0005, seed: 1)
    #expect(listen(soft).isEmpty)
    #expect(listen([.nan, .infinity] + Tones.tone(200, .sine)).count == 1)
  }

  @Test("detects only large rises with a lower sensitivity")
  func sensitivity() {
    let sound = tune(
      [[0.3, 200, 2, 0.1], [0.8, 200, 0.1, 0.1], [1.3, 200, 0.1, 0.9]], seconds: 2, sampleRate: 48_000)
    #expect(listen(sound, sensitivity: -2).count >= 2)
    #expect(listen(sound, sensitivity: 9).map { ($0.began * 10).rounded() } == [3, 13])
  }

  @Test("gives the same onsets in blocks of 1, 64 and 512")
  func blocks() {
    let sound = tune(OnsetValues.notes, seconds: OnsetValues.seconds, sampleRate: 48_000)
    func heard(_ size: Int) -> [Int] {
      var detector = OnsetDetector()
      return stride(from: 0, to: 512 * (sound.count / 512), by: size).compactMap { start in
        detector.process(sound[start..<start + size].span).map { start + size - 1 - $0.age }
      }
    }
    #expect(heard(1) == heard(64))
    #expect(heard(1) == heard(512))
    #expect(heard(1).count > 30)
  }
}
