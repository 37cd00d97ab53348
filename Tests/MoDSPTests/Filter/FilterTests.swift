import Glibc
import MoDSP
import Testing

/// A filter and its response at 20, 440, 1000, 7000 and 18,000 Hz, by another program.
struct OutsideFilter: CustomTestStringConvertible {
  let name: String
  let frequency: Double
  let q: Double
  let decibels: Double
  let coefficients: [Double]
  let real: [Double]
  let imaginary: [Double]
  static let frequencies: [Double] = [20, 440, 1000, 7000, 18_000]

  init(
    _ name: String, frequency: Double, q: Double, decibels: Double, coefficients: [Double], real: [Double],
    imaginary: [Double]
  ) {
    (self.name, self.frequency, self.q, self.decibels) = (name, frequency, q, decibels)
    (self.coefficients, self.real, self.imaginary) = (coefficients, real, imaginary)
  }

  var testDescription: String { "\(name) at \(frequency) Hz" }

  /// The same filter in MoDSP.
  var ours: FilterCoefficients {
    let rate = 48_000.0
    return switch name {
    case "lowPass": .lowPass(frequency: frequency, q: q, sampleRate: rate)
    case "highPass": .highPass(frequency: frequency, q: q, sampleRate: rate)
    case "bandPass": .bandPass(frequency: frequency, q: q, sampleRate: rate)
    case "resonantBandPass": .resonantBandPass(frequency: frequency, q: q, sampleRate: rate)
    case "notch": .notch(frequency: frequency, q: q, sampleRate: rate)
    case "allPass": .allPass(frequency: frequency, q: q, sampleRate: rate)
    case "peak": .peak(frequency: frequency, q: q, decibels: decibels, sampleRate: rate)
    case "lowShelf": .lowShelf(frequency: frequency, q: q, decibels: decibels, sampleRate: rate)
    default: .highShelf(frequency: frequency, q: q, decibels: decibels, sampleRate: rate)
    }
  }

  var stateVariable: StateVariable? {
    let kinds: [String: StateVariable.Kind] = [
      "lowPass": .lowPass, "highPass": .highPass, "bandPass": .bandPass, "notch": .notch, "allPass": .allPass,
    ]
    return kinds[name].map { StateVariable($0, frequency: frequency, q: q, sampleRate: 48_000) }
  }
}

@Suite("Filters: frequency response")
struct FilterTests {
  @Test(
    "the cookbook's coefficients are those of the transformed analogue filters", arguments: outsideCookbook)
  func cookbook(outside: OutsideFilter) {
    let ours = outside.ours
    for (ours, theirs) in zip([ours.b0, ours.b1, ours.b2, ours.a1, ours.a2], outside.coefficients) {
      #expect(abs(ours - theirs) < 1e-9 * max(abs(theirs), 1e-6))
    }
    #expect(ours.isStable)
  }

  @Test("the responses equal SciPy's", arguments: outsideCookbook)
  func responses(outside: OutsideFilter) {
    for (index, frequency) in OutsideFilter.frequencies.enumerated() {
      let response = BiQuad(outside.ours).response(at: frequency, sampleRate: 48_000)
      #expect(
        hypot(response.real - outside.real[index], response.imaginary - outside.imaginary[index]) < 1e-6)
    }
  }

  @Test("the state-variable filter has the cookbook's response", arguments: outsideCookbook)
  func stateVariable(outside: OutsideFilter) throws {
    guard let filter = outside.stateVariable else { return }
    for (index, frequency) in OutsideFilter.frequencies.enumerated() {
      let response = filter.response(at: frequency, sampleRate: 48_000)
      #expect(
        hypot(response.real - outside.real[index], response.imaginary - outside.imaginary[index]) < 1e-4)
    }
  }

  @Test("the computed response equals the spectrum of the impulse response", arguments: outsideCookbook)
  func impulse(outside: OutsideFilter) {
    check(BiQuad(outside.ours))
    if let filter = outside.stateVariable { check(filter) }
  }

  @Test("cascades of any order are SciPy's Butterworth filters", arguments: outsideButterworth.indices)
  func butterworth(index: Int) {
    let (order, low, high) = outsideButterworth[index]
    let ours = [
      Cascade.lowPass(order: order, frequency: 1000, sampleRate: 48_000),
      Cascade.highPass(order: order, frequency: 1000, sampleRate: 48_000),
    ]
    #expect(ours[0].count == (order + 1) / 2)
    for (cascade, theirs) in zip(ours, [low, high]) {
      for (frequency, magnitude) in zip([100.0, 500, 1000, 2000, 8000], theirs) {
        let response = cascade.response(at: frequency, sampleRate: 48_000)
        #expect(abs(response.magnitude - magnitude) < 1e-6 * max(magnitude, 1e-3))
      }
    }
  }

  @Test("the difference equation is SciPy's lfilter")
  func lfilter() {
    var filter = BiQuad(FilterCoefficients(b0: 0.3, b1: -0.2, b2: 0.1, a1: -1.6, a2: 0.9))
    for (index, theirs) in outsideFiltered.enumerated() {
      let ours = filter.tick(Float(sin(0.1 + Double(index * index) * 0.7)))
      #expect(abs(Double(ours) - theirs) < 1e-6)
      #expect(filter.lastOut == ours)
    }
  }

  @Test("lists of coefficients are divided by the first of a, as in the original and SciPy")
  func lists() {
    #expect(
      FilterCoefficients([2, 1, 0.5], over: [4, -2, 1])
        == FilterCoefficients(b0: 0.5, b1: 0.25, b2: 0.125, a1: -0.5, a2: 0.25))
    #expect(FilterCoefficients([3], over: [1]) == FilterCoefficients(b0: 3))
    #expect(FilterCoefficients([1, 1], over: [2]) == FilterCoefficients(b0: 0.5, b1: 0.5))
    for (b, a) in [
      ([], [1]), ([1], []), ([1], [0, 1]), ([1, 2, 3, 4], [1]), ([.nan], [1]), ([1], [1, .infinity]),
    ]
      as [([Double], [Double])]
    {
      #expect(FilterCoefficients(b, over: a) == nil)
    }
  }

  @Test("the original's settings have the specified response at every frequency")
  func original() {
    check(OneZero(zero: -0.7), peak: 1)
    check(OneZero(zero: 0.4), peak: 1)
    check(OnePole(pole: 0.9), peak: 1)
    check(OnePole(pole: -0.6), peak: 1)

    var poleZero = PoleZero()
    check(poleZero, peak: 1)
    poleZero.setAllpass(0.6)
    check(poleZero, peak: 1)
    for frequency in stride(from: 0.0, through: 24_000, by: 500) {
      #expect(abs(poleZero.response(at: frequency, sampleRate: 48_000).magnitude - 1) < 1e-12)
    }
    poleZero.setBlockZero()
    check(poleZero)
    #expect(poleZero.response(at: 0, sampleRate: 48_000).magnitude == 0)
    #expect(abs(poleZero.response(at: 5000, sampleRate: 48_000).magnitude - 1) < 0.01)

    var twoZero = TwoZero()
    for frequency in [100.0, 3000, 20_000] {
      twoZero.setNotch(frequency: frequency, radius: 1, sampleRate: 48_000)
      check(twoZero, peak: 1)
      #expect(twoZero.response(at: frequency, sampleRate: 48_000).magnitude < 1e-12)
    }

    var twoPole = TwoPole()
    twoPole.setResonance(frequency: 2000, radius: 0.98, normalize: true, sampleRate: 48_000)
    check(twoPole)
    #expect(abs(twoPole.response(at: 2000, sampleRate: 48_000).magnitude - 1) < 1e-12)

    var biQuad = BiQuad()
    biQuad.setResonance(frequency: 2000, radius: 0.98, normalize: true, sampleRate: 48_000)
    check(biQuad, peak: 1)
    #expect(abs(biQuad.response(at: 2000, sampleRate: 48_000).magnitude - 1) < 0.001)
    #expect(biQuad.response(at: 0, sampleRate: 48_000).magnitude < 1e-12)
    biQuad.setNotch(frequency: 5000, radius: 1, sampleRate: 48_000)
    #expect(biQuad.response(at: 5000, sampleRate: 48_000).magnitude < 1e-12)
    biQuad.setEqualGainZeroes()
    #expect(biQuad.response(at: 24_000, sampleRate: 48_000).magnitude < 1e-12)
    biQuad.gain = 0.5
    check(biQuad)
  }

  @Test("a one-pole follows a step by 63 % in the set time")
  func time() {
    var filter = OnePole(seconds: 0.1, sampleRate: 1000)
    let risen = render(100) { filter.tick(1) }
    #expect(abs(Double(risen[99]) - (1 - exp(-1))) < 1e-6)
  }

  /// Compares an impulse's spectrum with `response`, and with its known largest value, if any.
  private func check(_ filter: some MoFilter, peak: Double? = nil) {
    var filter = filter
    let samples = render(16_384) { filter.tick(0) }
    #expect(samples.allSatisfy { $0 == 0 })
    let impulse = (0..<16_384).map { filter.tick($0 == 0 ? 1 : 0) }
    for frequency in [0, 187.5, 1000, 2000, 5000, 11_000, 20_000, 24_000] {
      let response = filter.response(at: frequency, sampleRate: 48_000)
      var (real, imaginary) = (0.0, 0.0)
      for (index, sample) in impulse.enumerated() {
        let angle = 2 * .pi * frequency / 48_000 * Double(index)
        real += Double(sample) * cos(angle)
        imaginary -= Double(sample) * sin(angle)
      }
      #expect(hypot(response.real - real, response.imaginary - imaginary) < 2e-6 * max(1, response.magnitude))
    }
    guard let peak else { return }
    let magnitudes = stride(from: 0, through: 24_000, by: 1).map {
      filter.response(at: $0, sampleRate: 48_000).magnitude
    }
    #expect(abs((magnitudes.max() ?? 0) - peak) < 1e-5)
  }
}
