import Glibc
import MoDSP
import MoTesting
import Testing

@Suite("Filters: state")
struct FilterStateTests {
  static let filters: [any MoFilter] = [
    OneZero(), OnePole(pole: 0.999), OnePole(pole: -0.9), dcBlocker, allPass, notch, resonance, ringing,
    BiQuad(.highShelf(frequency: 3000, decibels: 12, sampleRate: 48_000)),
    BiQuad(.lowPass(frequency: 5, q: 5, sampleRate: 48_000)),
    StateVariable(.lowPass, frequency: 40, q: 50, sampleRate: 48_000),
    StateVariable(.highPass, frequency: 12_000, q: 0.5, sampleRate: 48_000),
  ]

  static var dcBlocker: PoleZero {
    var filter = PoleZero()
    filter.setBlockZero(0.999)
    return filter
  }
  static var allPass: PoleZero {
    var filter = PoleZero()
    filter.setAllpass(-0.99)
    return filter
  }
  static var notch: TwoZero {
    var filter = TwoZero()
    filter.setNotch(frequency: 60, radius: 1, sampleRate: 48_000)
    return filter
  }
  static var resonance: TwoPole {
    var filter = TwoPole()
    filter.setResonance(frequency: 30, radius: 0.9999, normalize: true, sampleRate: 48_000)
    return filter
  }
  static var ringing: BiQuad {
    var filter = BiQuad()
    filter.setResonance(frequency: 12_000, radius: 0.9999, normalize: true, sampleRate: 48_000)
    return filter
  }

  @Test("blocks of 1, 64 and 512 equal ticks", arguments: filters.indices)
  func blocks(index: Int) { check(Self.filters[index]) }

  @Test(
    "blocks equal ticks also through silence, decaying sound, NaN and infinity", arguments: filters.indices)
  func oddBlocks(index: Int) {
    var random = TestRandom(seed: 2)
    var input = [Float](repeating: 0, count: 6000)
    for place in 0..<300 { input[place + 50] = Float(random.uniform() * 2 - 1) }
    for (place, odd) in [
      (4001, .nan), (4300, 1e30), (4507, -.infinity), (4900, 1e-19), (5003, .leastNonzeroMagnitude),
    ]
      as [(Int, Float)]
    {
      input[place] = odd
    }
    check(Self.filters[index], input)
    var negative = Self.filters[index]
    negative.gain = -1
    check(negative, input)
  }

  private func check(_ filter: some MoFilter) {
    var random = TestRandom(seed: 1)
    check(filter, (0..<2000).map { _ in Float(random.uniform() * 2 - 1) })
  }

  private func check(_ filter: some MoFilter, _ input: [Float]) {
    var ticking = filter
    let expected = input.map { ticking.tick($0) }
    for block in [1, 64, 512] {
      var filter = filter
      let blocks = inBlocks(of: block, input) { filter.process(&$0) }
      #expect(zip(blocks, expected).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN })
      #expect(filter.lastOut == ticking.lastOut)
    }
  }

  @Test("every sound decays to exactly 0, and is never denormal", arguments: filters.indices)
  func silence(index: Int) {
    var filter = Self.filters[index]
    for sample in 0..<1000 { _ = filter.tick(sample % 7 == 0 ? 1 : -0.1) }
    var denormals = 0
    for _ in 0..<2_000_000 where filter.tick(0).isSubnormal { denormals += 1 }
    #expect(denormals == 0)
    #expect(render(1000) { filter.tick(0) }.allSatisfy { $0 == 0 })
    #expect(filter.lastOut == 0)
  }

  @Test("clear removes the sound and keeps the filter", arguments: filters.indices)
  func clear(index: Int) {
    var (filter, fresh) = (Self.filters[index], Self.filters[index])
    for _ in 0..<100 { _ = filter.tick(0.7) }
    filter.clear()
    #expect(filter.lastOut == 0)
    #expect(render(100) { filter.tick(0.3) } == render(100) { fresh.tick(0.3) })
  }

  @Test("NaN and infinity are forgotten within three samples", arguments: filters.indices)
  func nonsense(index: Int) {
    for bad in [Float.nan, .infinity, -.infinity] {
      var filter = Self.filters[index]
      _ = filter.tick(bad)
      _ = filter.tick(0)
      _ = filter.tick(0)
      #expect(AudioMeasures.isFinite(render(1000) { filter.tick(0.5) }))
    }
  }

  @Test(
    "invalid arguments leave a stable filter",
    arguments: [.nan, .infinity, -.infinity, -1, 0, 24_000, 1e9, 1e-300] as [Double])
  func arguments(bad: Double) {
    let rate = 48_000.0
    let one = FilterCoefficients.lowPass(frequency: bad, q: 1, sampleRate: rate)
    let many = [
      one, .lowPass(frequency: 1000, q: bad, sampleRate: rate), .lowPass(frequency: 1000, sampleRate: bad),
      .highPass(frequency: bad, q: bad, sampleRate: rate), .notch(frequency: bad, q: bad, sampleRate: rate),
      .peak(frequency: bad, q: bad, decibels: bad, sampleRate: rate),
      .lowShelf(frequency: 500, decibels: bad, sampleRate: rate),
      .highShelf(frequency: bad, decibels: bad, sampleRate: rate), OnePole(pole: bad).coefficients,
      OnePole(seconds: bad, sampleRate: rate).coefficients, OneZero(zero: bad).coefficients,
      StateVariable(.lowPass, frequency: bad, q: 1, sampleRate: rate).coefficients,
      StateVariable(.lowPass, frequency: 500, q: bad, sampleRate: rate).coefficients,
    ]
    for coefficients in many { #expect(coefficients.isStable, "\(coefficients)") }

    var (pair, zeros, both, single) = (TwoPole(), TwoZero(), BiQuad(), PoleZero())
    pair.setResonance(frequency: bad, radius: bad, normalize: true, sampleRate: rate)
    zeros.setNotch(frequency: bad, radius: bad, sampleRate: rate)
    both.setResonance(frequency: 100, radius: bad, normalize: true, sampleRate: bad)
    single.setAllpass(bad)
    for coefficients in [pair.coefficients, zeros.coefficients, both.coefficients, single.coefficients] {
      #expect(coefficients.isStable, "\(coefficients)")
    }
    both.setNotch(frequency: bad, radius: bad, sampleRate: bad)
    both.setCoefficients(b0: .nan, b1: .infinity, b2: 1, a1: .nan, a2: -.infinity)
    #expect(both.coefficients == FilterCoefficients(b0: 0, b2: 1))
  }

  @Test("the state-variable filter may change at every sample: it stays bounded, and continuous in a glide")
  func modulation() {
    var random = TestRandom(seed: 3)
    var filter = StateVariable(.lowPass, frequency: 1000, q: 1, sampleRate: 48_000)
    var peak: Float = 0
    for _ in 0..<200_000 {
      filter.set(frequency: 20 * pow(1000, random.uniform()), q: 0.7 + random.uniform(), sampleRate: 48_000)
      peak = max(peak, abs(filter.tick(Float(random.uniform() * 2 - 1))))
    }
    #expect(peak < 4)

    // At 0 Hz a low-pass passes everything: a constant stays constant during a sweep.
    filter.clear()
    filter.set(frequency: 20_000, q: 0.7, sampleRate: 48_000)
    for _ in 0..<1000 { _ = filter.tick(0.5) }
    let swept = (0..<48_000).map { step in
      filter.set(frequency: 20_000 * pow(0.001, Double(step) / 48_000), q: 0.7, sampleRate: 48_000)
      return filter.tick(0.5)
    }
    #expect(swept.allSatisfy { abs($0 - 0.5) < 1e-5 })
  }

  @Test("the state-variable filter's three outputs are those of its kinds, and add up to the input")
  func outputs() {
    func filter(_ kind: StateVariable.Kind) -> StateVariable {
      StateVariable(kind, frequency: 800, q: 3, sampleRate: 48_000)
    }
    var (all, low, band, high) = (filter(.notch), filter(.lowPass), filter(.bandPass), filter(.highPass))
    var random = TestRandom(seed: 4)
    for _ in 0..<1000 {
      let input = Float(random.uniform())
      let outputs = all.outputs(input)
      #expect(outputs.low == low.tick(input))
      #expect(outputs.band == band.tick(input))
      #expect(outputs.high == high.tick(input))
      #expect(abs(outputs.low + outputs.band + outputs.high - input) < 1e-6)
    }
  }

  @Test(
    "a cascade's sections can be read and replaced, blocks equal ticks, and sections beyond eight are ignored"
  )
  func cascade() {
    var cascade = Cascade.lowPass(order: 7, frequency: 500, sampleRate: 48_000)
    cascade[1] = .notch(frequency: 700, q: 2, sampleRate: 48_000)
    #expect(cascade[1] == .notch(frequency: 700, q: 2, sampleRate: 48_000))
    var random = TestRandom(seed: 5)
    let input = (0..<2000).map { _ in Float(random.uniform() * 2 - 1) }
    var ticking = cascade
    let expected = input.map { ticking.tick($0) }
    for block in [1, 64, 512] {
      var cascade = cascade
      #expect(inBlocks(of: block, input) { cascade.process(&$0) } == expected)
      #expect(cascade.lastOut == ticking.lastOut)
    }
    ticking.clear()
    #expect(render(10) { ticking.tick(0) }.allSatisfy { $0 == 0 })
    #expect(Cascade(Array(repeating: FilterCoefficients(), count: 9)).count == 8)
    #expect(Cascade.lowPass(order: 99, frequency: .nan, sampleRate: 48_000).count == 8)
    var nothing = Cascade([])
    #expect(nothing.tick(0.25) == 0.25)
  }
}
