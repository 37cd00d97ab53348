import Glibc
import MoDSP
import MoTesting
import Testing

@Suite("Limiter and soft clipper")
struct LimiterTests {
  /// Noise, bursts, clicks and silence, up to a thousand times the ceiling.
  static let wild: [Float] = {
    var random = TestRandom(seed: 7)
    var size: Float = 1
    return (0..<200_000).map { index in
      if index % 997 == 0 { size = Float(pow(10, random.uniform() * 6 - 3)) }
      let click: Float = random.uniform() < 0.0005 ? 1000 : 1
      return Float(random.uniform() * 2 - 1) * size * click
    }
  }()

  @Test(
    "no output exceeds the ceiling", arguments: [0.0, 0.0001, 0.002, 0.01],
    [0.25, 0.7, 1] as [Float])
  func ceiling(lookAhead: Double, ceiling: Float) {
    var limiter = Limiter(ceiling: ceiling, lookAhead: lookAhead, release: 0.01)
    #expect(limiter.latency == Int(lookAhead * 48_000))
    let samples = Self.wild.map { limiter.tick($0) }
    #expect(AudioMeasures.peak(samples) <= ceiling)
    #expect(AudioMeasures.peak(samples) > 0.8 * ceiling)
    #expect(AudioMeasures.isFinite(samples))
  }

  @Test("sound below the ceiling passes bit for bit, also an hour after a peak")
  func transparent() {
    var (limiter, noise) = (Limiter(ceiling: 0.9, lookAhead: 0.002, release: 0.05), Noise(seed: 1))
    _ = limiter.tick(100)
    for _ in 0..<96_000 { _ = limiter.tick(0) }
    let input = render(10_000) { 0.9 * noise.tick() }
    let output = input.map { limiter.tick($0) }
    #expect(Array(output.dropFirst(limiter.latency)) == Array(input.dropLast(limiter.latency)))
    #expect(limiter.gain == 1)
  }

  @Test("the gain falls before the peak without a jump, and recovers")
  func smooth() {
    var limiter = Limiter(ceiling: 0.5, lookAhead: 0.002, release: 0.1)
    var gains: [Double] = []
    for index in 0..<48_000 {
      _ = limiter.tick(index == 1000 ? 5 : 0.1)
      gains.append(limiter.gain)
    }
    #expect(gains[999] == 1)
    #expect(abs(gains[1000 + limiter.latency] - 0.1) < 1e-3)
    // At most the whole way down in the look-ahead's 97 samples.
    #expect(zip(gains, gains.dropFirst()).allSatisfy { abs($0 - $1) < 0.9 / 96 })
    #expect(gains[47_999] > 0.99)
  }

  @Test("the gain holds for the set time after a peak, and equal peaks restart the hold")
  func hold() {
    var limiter = Limiter(ceiling: 0.5, lookAhead: 0, release: 0.01, hold: 0.01)
    var gains: [Double] = []
    for index in 0..<4800 {
      // Half a percent softer each time.
      _ = limiter.tick(index % 400 == 0 && index <= 1200 ? 1 - 0.005 * Float(index / 400) : 0.1)
      gains.append(limiter.gain)
    }
    #expect(gains[0..<1200 + 480].allSatisfy { abs($0 - 0.5) < 1e-6 })
    #expect(gains[1200 + 484] > 0.5)
    #expect(gains[4799] > 0.99)
  }

  @Test("both channels have the same gain, blocks of 1, 64 and 512 frames equal ticks, and NaN is silence")
  func stereo() {
    let input = Array(Self.wild.prefix(40_000))
    var ticking = Limiter(ceiling: 0.5)
    var expected: [Float] = []
    for frame in 0..<20_000 {
      let sound = ticking.tick(SIMD2(input[2 * frame], input[2 * frame + 1]))
      expected += [sound.x, sound.y]
    }
    for frames in [1, 64, 512] {
      var limiter = Limiter(ceiling: 0.5)
      #expect(inBlocks(of: 2 * frames, input) { limiter.process(interleaved: &$0) } == expected)
      var (mono, monoTicking) = (Limiter(ceiling: 0.5), Limiter(ceiling: 0.5))
      #expect(inBlocks(of: frames, input) { mono.process(&$0) } == input.map { monoTicking.tick($0) })
    }
    var limiter = Limiter(ceiling: 0.5, lookAhead: 0)
    #expect(limiter.tick(SIMD2(4, 2)) == SIMD2(0.5, 0.25))
    #expect(limiter.tick(SIMD2(.nan, .infinity)) == .zero)
    #expect(Limiter(ceiling: .nan, lookAhead: .nan).ceiling == 1e-6)
  }

  @Test("the soft clipper stays within its limit, is odd, linear at first, and monotonic")
  func softClipper() {
    var last = -Float.infinity
    for step in -4000...4000 {
      let sample = Float(step) / 1000
      let clipped = softClip(sample, limit: 0.8)
      #expect(abs(clipped) <= 0.8 && clipped == -softClip(-sample, limit: 0.8) && clipped >= last - 1e-7)
      if abs(sample) < 0.1 { #expect(abs(clipped - sample) < 0.002) }
      // The hyperbolic tangent that it approximates.
      #expect(abs(clipped - 0.8 * tanh(sample / 0.8)) < 0.02)
      last = clipped
    }
    #expect(softClip(.infinity, limit: 0.8) == 0.8 && softClip(.nan, limit: 0.8) == 0.8)
  }
}
