import Glibc
import MoDSP
import MoTesting
import Testing

@Suite("Oscillators")
struct OscillatorTests {
  static let rate = 48_000.0
  static let length = 4096
  /// Cycles in 4096 samples, without common factors: 105 Hz to 4992 Hz.
  static let cycles = [9, 37, 101, 213, 299, 341, 373, 409, 415, 421, 425, 426]

  /// The amplitudes of a steady tone of the given number of cycles; its nth harmonic is at n times that.
  func spectrum(_ oscillator: some Oscillator, cycles: Int) -> [Double] {
    var oscillator = oscillator
    oscillator.frequency = Double(cycles) * Self.rate / Double(Self.length)
    _ = render(Self.length) { oscillator.tick() }
    return amplitudes(render(Self.length) { oscillator.tick() })
  }

  /// The strongest amplitude outside the harmonics, in dB relative to the fundamental.
  func alias(_ spectrum: [Double], cycles: Int) -> Double {
    let others = spectrum.indices.dropFirst().filter { $0 % cycles != 0 }
    return decibels((others.map { spectrum[$0] }.max() ?? 0) / spectrum[cycles])
  }

  @Test("aliases are below −60 dB for every fundamental to 5 kHz", arguments: cycles)
  func aliases(cycles: Int) {
    #expect(alias(spectrum(Saw(), cycles: cycles), cycles: cycles) < -60)
    #expect(alias(spectrum(Square(), cycles: cycles), cycles: cycles) < -60)
    #expect(alias(spectrum(Square(width: 0.3), cycles: cycles), cycles: cycles) < -60)
    #expect(alias(spectrum(Triangle(), cycles: cycles), cycles: cycles) < -60)
  }

  @Test("the harmonics equal those of the sharp waveforms to 16 kHz, within 0.1 dB", arguments: cycles)
  func harmonics(cycles: Int) {
    let (saw, square) = (spectrum(Saw(), cycles: cycles), spectrum(Square(), cycles: cycles))
    let (pulse, triangle) = (
      spectrum(Square(width: 0.3), cycles: cycles), spectrum(Triangle(), cycles: cycles)
    )
    for harmonic in 1...Self.length / 3 / cycles {
      let (bin, number) = (harmonic * cycles, Double(harmonic))
      let pulsed = 4 / (.pi * number) * abs(sin(.pi * number * 0.3))
      #expect(abs(decibels(saw[bin] * .pi * number / 2)) < 0.1)
      if pulsed > 0.001 { #expect(abs(decibels(pulse[bin] / pulsed)) < 0.1) }
      if harmonic % 2 == 1 {
        #expect(abs(decibels(square[bin] * .pi * number / 4)) < 0.1)
        #expect(abs(decibels(triangle[bin] * .pi * .pi * number * number / 8)) < 0.1)
      } else {
        #expect(square[bin] < 1e-4 && triangle[bin] < 1e-4)
      }
    }
    #expect(abs(saw[0]) < 1e-4 && abs(square[0]) < 1e-4 && abs(triangle[0]) < 1e-4)
    #expect(abs(pulse[0] - 0.4) < 1e-4)
  }

  @Test("a sine has amplitude 1, and everything else is as soft as rounding", arguments: cycles)
  func sine(cycles: Int) {
    let spectrum = spectrum(Sine(), cycles: cycles)
    #expect(abs(spectrum[cycles] - 1) < 1e-7)
    #expect(spectrum.indices.allSatisfy { $0 == cycles || spectrum[$0] < 1e-8 })
  }

  @Test("a sine is the sine of its phase, also with a phase shift")
  func shifted() {
    var oscillator = Sine(frequency: 100, sampleRate: 48_000)
    for sample in 0..<1000 {
      let shift = Float(sin(Double(sample) * 0.01)) * 3
      let turns = Double(sample) * 100 / 48_000 + Double(shift)
      #expect(abs(Double(oscillator.tick(shiftedBy: shift)) - sin(2 * .pi * turns)) < 1e-6)
    }
    oscillator.phase = 0.25
    #expect(oscillator.tick(shiftedBy: .nan) == 1)
  }

  @Test("the pitch is within a hundredth of a cent after a minute")
  func tune() {
    var saw = Saw(frequency: 441.234, sampleRate: 44_100)
    _ = render(44_100 * 60) { saw.tick() }
    let cycles = 441.234 * 60 + 0.5
    #expect(abs(saw.phase - (cycles - cycles.rounded(.down))) < 1e-6)
  }

  @Test(
    "the output is finite and bounded, and the phase stays in its cycle, for any frequency at every sample")
  func modulated() {
    func check(_ oscillator: some Oscillator) {
      var (oscillator, random) = (oscillator, TestRandom(seed: 1))
      let wild = render(20_000) {
        oscillator.frequency = random.uniform() * random.uniform() * 20_000
        return oscillator.tick()
      }
      #expect(AudioMeasures.isFinite(wild) && AudioMeasures.peak(wild) < 2.5)
      for bad in [.nan, .infinity, -.infinity, -100, 1e12, 0] as [Double] {
        oscillator.frequency = bad
        let samples = render(1000) { oscillator.tick() }
        #expect(AudioMeasures.isFinite(samples) && AudioMeasures.peak(samples) < 2.5)
        #expect((0..<1).contains(oscillator.phase))
      }
      oscillator.frequency = 220
      _ = render(1000) { oscillator.tick() }
      #expect(AudioMeasures.peak(render(48_000) { oscillator.tick() }) < 1.25)
    }
    check(Sine())
    check(Saw())
    check(Square(width: 0.2))
    check(Triangle())
  }

  @Test("the pulse width may change at every sample: no step is lost, and the tone is unchanged")
  func width() {
    var square = Square(frequency: 200, sampleRate: 48_000)
    let samples = (0..<48_000).map { index in
      square.width = 0.5 + 0.6 * sin(Double(index) * 0.0003)
      return square.tick()
    }
    let rises = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(rises - 200) <= 1)
    #expect(AudioMeasures.peak(samples) < 1.4)
    square.width = .nan
    #expect(AudioMeasures.isFinite(render(1000) { square.tick() }))
  }

  @Test("a block equals ticks at 1, 64 and 512, and prepare resets the oscillator", arguments: [1, 64, 512])
  func blocks(frames: Int) {
    func check(_ source: some Oscillator) {
      var (ticking, filling, later) = (source, source, source)
      let expected = render(2000) { ticking.tick() }
      #expect(inBlocks(of: frames, Array(repeating: 0, count: 2000)) { filling.fill(&$0) } == expected)
      _ = render(777) { later.tick() }
      later.prepare(sampleRate: Self.rate)
      #expect(render(2000) { later.tick() } == expected)
    }
    check(Sine(frequency: 1234))
    check(Saw(frequency: 1234))
    check(Square(frequency: 1234, width: 0.4))
    check(Triangle(frequency: 1234))
    var (pink, filled) = (PinkNoise(seed: 1), PinkNoise(seed: 1))
    let expected = render(2000) { pink.tick() }
    #expect(inBlocks(of: frames, Array(repeating: 0, count: 2000)) { filled.fill(&$0) } == expected)
  }

  @Test("pink noise falls by 3 dB per octave, within half a dB, and has a root mean square of 0.2")
  func pink() {
    var pink = PinkNoise(seed: 4)
    let samples = render(1 << 21) { pink.tick() }
    #expect(abs(AudioMeasures.rms(samples) - 0.2) < 0.01)
    let (length, around) = (8192, -4...4)
    // Under a Hann window, a bin contains little except its neighbours.
    let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
    let table = (0..<length).map {
      SIMD2(cos(2 * .pi * Double($0) / Double(length)), sin(2 * .pi * Double($0) / Double(length)))
    }
    let levels = [16, 32, 64, 128, 256, 512, 1024, 2048, 3400].map { middle -> Double in
      var power = 0.0
      for bin in around.map({ middle + $0 }) {
        for start in stride(from: 0, to: samples.count, by: length) {
          var (sum, turn) = (SIMD2<Double>.zero, 0)
          for index in 0..<length {
            sum += table[turn] * (window[index] * Double(samples[start + index]))
            turn = (turn + bin) & (length - 1)
          }
          power += (sum * sum).sum() * Double(bin)
        }
      }
      return 10 * log10(power)
    }
    let mean = levels.reduce(0, +) / Double(levels.count)
    for level in levels { #expect(abs(level - mean) < 0.5) }
  }
}
