import Glibc
import MoDSP
import MoTesting
import Testing

@Suite("Delays and reverb")
struct DelayTests {
  @Test("an integer delay returns the input unchanged, up to the longest", arguments: [1, 5, 64, 1000])
  func whole(longest: Int) {
    var (line, random) = (DelayLine(longest: longest), TestRandom(seed: 1))
    let input = (0..<3000).map { _ in Float(random.uniform()) }
    for (index, sample) in input.enumerated() {
      line.write(sample)
      for ago in [0, 1, longest / 2, longest] {
        let expected = ago <= index ? input[index - ago] : 0
        #expect(line[ago] == expected && line.linear(Double(ago)) == expected)
        if ago > 0 { #expect(abs(line.cubic(Double(ago)) - expected) < 1e-6) }
      }
    }
    #expect(line[longest + 5] == line[longest] && line[-3] == line[0])
    #expect(line.linear(.nan) == line[0] && line.cubic(.nan) == line.cubic(1))
    #expect(line.linear(1e300) == line[longest])
    line.clear()
    #expect(line[0] == 0 && line[longest] == 0)
  }

  @Test("a fractional delay is at the right place, with the level of the interpolation's response")
  func fractions() {
    var (line, fine) = (DelayLine(longest: 100), TunedDelay(delay: 20.3, longest: 100))
    for cycles in [1.0 / 200, 1.0 / 40, 1.0 / 8] {
      fine.clear()
      for sample in 0..<2000 {
        let now = 2 * Double.pi * cycles * Double(sample)
        line.write(Float(sin(now)))
        let tuned = fine.tick(Float(sin(now)))
        guard sample > 200 else { continue }
        let exact = sin(now - 2 * .pi * cycles * 20.3)
        let width = 2 * Double.pi * cycles
        // The remainders of linear and cubic interpolation.
        #expect(abs(Double(line.linear(20.3)) - exact) < width * width * 0.3 * 0.7 / 2 + 1e-6)
        #expect(abs(Double(line.cubic(20.3)) - exact) < pow(width, 4) * 1.3 * 0.3 * 0.7 * 1.7 / 24 + 1e-6)
        #expect(abs(Double(tuned) - exact) < 0.2 * pow(width, 3) + 1e-5)
      }
    }
  }

  @Test("a tuned delay keeps the level of every frequency")
  func tuned() {
    for delay in [0.5, 1, 7.25, 30.9] {
      var line = TunedDelay(delay: delay, longest: 40)
      #expect(line.delay == delay)
      let spectrum = amplitudes((0..<1024).map { line.tick($0 == 0 ? 512 : 0) })
      for bin in 1..<512 { #expect(abs(spectrum[bin] - 1) < 1e-4) }
    }
    var line = TunedDelay(delay: .nan, longest: 40)
    #expect(line.delay == 0.5)
    line.delay = 1e9
    #expect(line.delay == 40)
    _ = render(100) { line.tick(1) }
    #expect(render(1000) { line.tick(0) }.last == 0)
  }

  @Test("a comb's echoes are powers of its feedback, and fall by 60 dB in the set time")
  func comb() {
    var comb = Comb(delay: 10, feedback: -0.5, longest: 100)
    let echoes = (0..<60).map { comb.tick($0 == 0 ? 1 : 0) }
    for (index, echo) in echoes.enumerated() {
      #expect(abs(Double(echo) - (index % 10 == 0 ? pow(-0.5, Double(index / 10)) : 0)) < 1e-6)
    }
    comb.clear()
    comb.delay = 48
    comb.setDecay(seconds: 0.48, sampleRate: 48_000)
    let decay = (0...23_040).map { comb.tick($0 == 0 ? 1 : 0) }
    #expect(abs(decibels(Double(decay[23_040])) + 60) < 0.01)
  }

  @Test("a comb decays to exactly 0, forgets NaN, and stays bounded with any settings")
  func combNonsense() {
    var comb = Comb(delay: 100.4, feedback: 0.9, longest: 200)
    comb.damping = 0.4
    _ = comb.tick(1)
    _ = comb.tick(.nan)
    #expect(render(200_000) { comb.tick(0) }.allSatisfy { $0.isFinite && !$0.isSubnormal })
    #expect(render(1000) { comb.tick(0) }.allSatisfy { $0 == 0 })
    for bad in [.nan, .infinity, -.infinity, 9] as [Float] {
      (comb.delay, comb.feedback, comb.damping) = (Double(bad), bad, bad)
      _ = comb.tick(1)
      #expect(AudioMeasures.peak(render(10_000) { comb.tick(0) }) <= 2)
    }
  }

  @Test("a comb, a tuned delay and a reverb recover from samples that are finite but huge")
  func huge() {
    var (comb, line) = (Comb(delay: 100.4, feedback: 0.9, longest: 200), TunedDelay(delay: 20.3, longest: 40))
    var room = Reverb(seconds: 0.5)
    for huge in [2e38, -3e38, 1.7e38] as [Float] {
      for _ in 0..<300 {
        _ = comb.tick(huge)
        _ = line.tick(huge)
        _ = room.tick(huge, huge)
      }
    }
    #expect(render(200_000) { comb.tick(0) }.allSatisfy { $0.isFinite })
    #expect(render(1000) { line.tick(0) }.allSatisfy { $0.isFinite })
    #expect(render(48_000) { room.tick(0).left }.allSatisfy { $0.isFinite })
    #expect(comb.tick(1) == 1 && room.tick(1).left != 0)
  }

  @Test("a copy of a delay line is independent")
  func copies() {
    var line = DelayLine(longest: 10)
    line.write(1)
    var copy = line
    copy.write(2)
    #expect(line[0] == 1 && copy[0] == 2 && copy[1] == 1)
  }

  @Test(
    "the reverb falls by 60 dB in the set times, low and high", arguments: [0.5, 2.0],
    [44_100.0, 96_000])
  func room(seconds: Double, sampleRate: Double) {
    let room = Reverb(seconds: seconds, highSeconds: seconds / 3, mix: 1, sampleRate: sampleRate)
    #expect(abs(decay(room, band: 300, sampleRate: sampleRate) / seconds - 1) < 0.1)
    let high = decay(room, band: 0.4 * sampleRate, sampleRate: sampleRate)
    #expect(high > seconds / 3 && high < 0.6 * seconds)
  }

  /// Seconds to −60 dB, by the slope from −5 to −35 dB of the remaining energy: Schroeder's integral, 1965.
  private func decay(_ room: Reverb, band: Double, sampleRate: Double) -> Double {
    var room = room
    var filter = Cascade(Array(repeating: .bandPass(frequency: band, q: 2, sampleRate: sampleRate), count: 2))
    let samples = (0..<Int(4 * sampleRate)).map { filter.tick(room.tick($0 == 0 ? 1 : 0).left) }
    var (energy, left) = (0.0, [Double](repeating: 0, count: samples.count))
    for index in samples.indices.reversed() {
      energy += Double(samples[index]) * Double(samples[index])
      left[index] = energy
    }
    func time(_ decibels: Double) -> Int { left.firstIndex { 10 * log10($0 / energy) < decibels } ?? 0 }
    return 2 * Double(time(-35) - time(-5)) / sampleRate
  }

  @Test("the reverb has different sides, a dense tail, an exact end at 0, and blocks NaN")
  func roomTail() {
    var room = Reverb(seconds: 6, highSeconds: 6, mix: 1)
    let frames = (0..<48_000).map { room.tick($0 == 0 ? 1 : 0) }
    let tail = frames[9600..<14_400]
    let (left, right) = (tail.map(\.left), tail.map(\.right))
    let product = zip(left, right).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    #expect(abs(product / 4800 / AudioMeasures.rms(left) / AudioMeasures.rms(right)) < 0.2)
    // Of Gaussian noise, 32 % is beyond one standard deviation; of a few echoes, much less.
    let loud = left.count { Double(abs($0)) > AudioMeasures.rms(left) }
    #expect(abs(Double(loud) / 4800 - 0.32) < 0.04)

    room = Reverb(seconds: 0.5, mix: 1)
    _ = room.tick(.nan, .infinity)
    #expect(room.tick(1).left.isFinite)
    for _ in 0..<48_000 * 6 { _ = room.tick(0) }
    #expect(render(48_000) { abs(room.tick(0).left) + abs(room.tick(0).right) }.allSatisfy { $0 == 0 })
  }

  @Test("a reverb with the shortest decay of high frequencies also ends at exactly 0")
  func darkest() {
    var (room, random) = (Reverb(seconds: 1, highSeconds: 0.02, mix: 1), TestRandom(seed: 1))
    #expect(AudioMeasures.rms(render(24_000) { room.tick(Float(random.uniform() - 0.5)).left }) > 0)
    for _ in 0..<48_000 * 11 { _ = room.tick(0) }
    #expect(render(4800) { abs(room.tick(0).left) + abs(room.tick(0).right) }.allSatisfy { $0 == 0 })
  }

  @Test("the reverb passes dry sound unchanged, and blocks of 1, 64 and 512 frames equal ticks")
  func roomBlocks() {
    var random = TestRandom(seed: 1)
    let input = (0..<4096).map { _ in Float(random.uniform() - 0.5) }
    var dry = Reverb(mix: 0)
    #expect(inBlocks(of: 128, input) { dry.process(interleaved: &$0) } == input)
    var ticking = Reverb()
    var expected: [Float] = []
    for frame in 0..<2048 {
      let sound = ticking.tick(input[2 * frame], input[2 * frame + 1])
      expected += [sound.left, sound.right]
    }
    for frames in [1, 64, 512] {
      var room = Reverb()
      #expect(inBlocks(of: 2 * frames, input) { room.process(interleaved: &$0) } == expected)
      var (comb, combTicking) = (
        Comb(delay: 77.7, feedback: 0.8, longest: 99), Comb(delay: 77.7, feedback: 0.8, longest: 99)
      )
      #expect(inBlocks(of: frames, input) { comb.process(&$0) } == input.map { combTicking.tick($0) })
    }
  }
}
