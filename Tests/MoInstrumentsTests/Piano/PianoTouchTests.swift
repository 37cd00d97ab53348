import Glibc
import MoDSP
import MoInstruments
import MoTesting
import Testing

@Suite("Piano: touch and decay")
struct PianoTouchTests {
  /// Returns the centre of a spectrum's power, in Hz.
  private func brightness(_ samples: ArraySlice<Float>) -> Double {
    let windowed = AudioMeasures.windowed(samples)
    let powers = stride(from: 50.0, through: 8_000, by: 25).map { frequency in
      (frequency, pow(AudioMeasures.strength(of: windowed, at: frequency / 48_000), 2))
    }
    return powers.reduce(0) { $0 + $1.0 * $1.1 } / powers.reduce(0) { $0 + $1.1 }
  }

  @Test("a harder touch is louder and brighter, step by step", arguments: [28, 48, 60, 84])
  func velocity(key: Int) {
    var before = (level: 0.0, brightness: 0.0)
    for step in 1...8 {
      let sound = PianoTake([(0, .on(Float(key), Float(step) / 8))], seconds: 0.3).both
      let now = (AudioMeasures.rms(sound), brightness(sound[0..<4_800]))
      #expect(now.0 > before.level * 1.05, "level at \(step)/8")
      #expect(now.1 > before.brightness, "brightness at \(step)/8")
      before = now
    }
  }

  @Test("the softest and the hardest touch are more than 30 dB apart")
  func dynamics() {
    let soft = AudioMeasures.rms(PianoTake([(0, .on(60, 1.0 / 127))], seconds: 0.5).both)
    let hard = AudioMeasures.rms(PianoTake([(0, .on(60, 1))], seconds: 0.5).both)
    #expect(20 * log10(hard / soft) > 30)
    #expect(soft > 0)
  }

  @Test("brightness moves the centre of the spectrum")
  func hardness() {
    let middles = [Float(0), 0.5, 1].map { value in
      brightness(PianoTake([(0, .brightness(value)), (0, .on(48, 0.6))], seconds: 0.2).both[0..<4_800])
    }
    #expect(middles[0] < middles[1] * 0.9 && middles[1] < middles[2] * 0.9, "\(middles)")
  }

  @Test(
    "the first stage decays at least twice as fast as the aftersound (Weinreich 1977)",
    arguments: [48, 55, 60, 67, 72])
  func twoStages(key: Int) {
    let frequency = 440 * exp2(Double(key - 69) / 12)
    let sound = PianoTake([(0, .on(Float(key), 0.8))], seconds: 8).both
    // The lowest partial, in dB per second.
    let (early, late) = (
      fall(of: sound, at: frequency, over: 0.1...0.5),
      fall(of: sound, at: frequency, over: key < 60 ? 4...7 : 2.5...4.5)
    )
    #expect(early > 2 * late, "\(early) then \(late)")
    #expect(early > 4 && early < 60 && late > 0.5, "\(early) then \(late)")
  }

  /// Returns the decay of a partial in dB per second, by linear regression.
  private func fall(of sound: [Float], at frequency: Double, over range: ClosedRange<Double>) -> Double {
    let points = (0..<10).map { index in
      let time = range.lowerBound + (range.upperBound - range.lowerBound) * Double(index) / 9
      return (time, AudioMeasures.level(of: sound, at: frequency, around: time))
    }
    let middle = (points.reduce(0) { $0 + $1.0 } / 10, points.reduce(0) { $0 + $1.1 } / 10)
    let (product, square) = points.reduce((0.0, 0.0)) { sums, point in
      (
        sums.0 + (point.0 - middle.0) * (point.1 - middle.1),
        sums.1 + (point.0 - middle.0) * (point.0 - middle.0)
      )
    }
    return -product / square
  }

  @Test("high keys decay faster than low ones")
  func decay() {
    let after = [33, 57, 81, 105].map { key in
      let sound = PianoTake([(0, .on(Float(key), 0.8))], seconds: 1.3).both
      return AudioMeasures.rms(sound[48_000..<57_600]) / AudioMeasures.rms(sound[0..<9_600])
    }
    #expect(after[0] > after[1] && after[1] > after[2] && after[2] > after[3], "\(after)")
  }
}
