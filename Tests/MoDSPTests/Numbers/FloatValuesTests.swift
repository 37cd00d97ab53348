import MoDSP
import Testing

@Suite("Float values in the signal kit")
struct FloatValuesTests {
  private typealias Design = FilterCoefficients

  private let rate = 48_000.0
  private let single: Float = 523.251
  private var double: Double { Double(single) }
  private let singleQ: Float = 1.7
  private var doubleQ: Double { Double(singleQ) }

  @Test("a filter that is designed from Float values equals the filter from Double values")
  func design() {
    let (f, q, g): (Float, Float, Float) = (single, singleQ, -7.3)
    let (df, dq, dg) = (double, doubleQ, Double(g))
    #expect(
      Design.lowPass(frequency: f, q: q, sampleRate: rate) == .lowPass(frequency: df, q: dq, sampleRate: rate)
    )
    #expect(
      Design.highPass(frequency: f, q: q, sampleRate: rate)
        == .highPass(frequency: df, q: dq, sampleRate: rate))
    #expect(
      Design.bandPass(frequency: f, q: q, sampleRate: rate)
        == .bandPass(frequency: df, q: dq, sampleRate: rate))
    #expect(
      Design.resonantBandPass(frequency: f, q: q, sampleRate: rate)
        == .resonantBandPass(frequency: df, q: dq, sampleRate: rate))
    #expect(
      Design.notch(frequency: f, q: q, sampleRate: rate) == .notch(frequency: df, q: dq, sampleRate: rate))
    #expect(
      Design.allPass(frequency: f, q: q, sampleRate: rate) == .allPass(frequency: df, q: dq, sampleRate: rate)
    )
    #expect(
      Design.peak(frequency: f, q: q, decibels: g, sampleRate: rate)
        == .peak(frequency: df, q: dq, decibels: dg, sampleRate: rate))
    #expect(
      Design.lowShelf(frequency: f, q: q, decibels: g, sampleRate: rate)
        == .lowShelf(frequency: df, q: dq, decibels: dg, sampleRate: rate))
    #expect(
      Design.highShelf(frequency: f, q: q, decibels: g, sampleRate: rate)
        == .highShelf(frequency: df, q: dq, decibels: dg, sampleRate: rate))
  }

  @Test("without Q, a filter from a Float frequency has the flattest response, too")
  func flattest() {
    let (ours, exact) = (
      Design.lowPass(frequency: single, sampleRate: rate), Design.lowPass(frequency: double, sampleRate: rate)
    )
    #expect(abs(ours.a1 - exact.a1) < 1e-7 && abs(ours.a2 - exact.a2) < 1e-7)
  }

  @Test("a cascade from a Float frequency equals the cascade from a Double frequency", arguments: 1...4)
  func cascade(order: Int) {
    let low = Cascade.lowPass(order: order, frequency: single, sampleRate: rate)
    let high = Cascade.highPass(order: order, frequency: single, sampleRate: rate)
    let lowest = Cascade.lowPass(order: order, frequency: double, sampleRate: rate)
    let highest = Cascade.highPass(order: order, frequency: double, sampleRate: rate)
    for section in 0..<low.count {
      #expect(low[section] == lowest[section] && high[section] == highest[section])
    }
  }

  @Test("the set-up of a filter from Float values equals the set-up from Double values")
  func setUp() {
    let (place, time): (Float, Float) = (0.83, 0.037)
    same(OnePole(), { $0.setPole(place) }, { $0.setPole(Double(place)) })
    same(OnePole(), { $0.setTime(time, sampleRate: rate) }, { $0.setTime(Double(time), sampleRate: rate) })
    same(OneZero(), { $0.setZero(place) }, { $0.setZero(Double(place)) })
    same(PoleZero(), { $0.setAllpass(place) }, { $0.setAllpass(Double(place)) })
    same(PoleZero(), { $0.setBlockZero(place) }, { $0.setBlockZero(Double(place)) })
    same(
      TwoPole(), { $0.setResonance(frequency: single, radius: place, normalize: true, sampleRate: rate) },
      { $0.setResonance(frequency: double, radius: Double(place), normalize: true, sampleRate: rate) })
    same(
      BiQuad(), { $0.setResonance(frequency: single, radius: place, normalize: true, sampleRate: rate) },
      { $0.setResonance(frequency: double, radius: Double(place), normalize: true, sampleRate: rate) })
    same(
      TwoZero(), { $0.setNotch(frequency: single, radius: place, sampleRate: rate) },
      { $0.setNotch(frequency: double, radius: Double(place), sampleRate: rate) })
    same(
      BiQuad(), { $0.setNotch(frequency: single, radius: place, sampleRate: rate) },
      { $0.setNotch(frequency: double, radius: Double(place), sampleRate: rate) })
    let variable = StateVariable(.lowPass, frequency: 100, sampleRate: rate)
    same(
      variable, { $0.set(frequency: single, q: singleQ, sampleRate: rate) },
      { $0.set(frequency: double, q: doubleQ, sampleRate: rate) })
    same(
      variable, { $0.set(frequency: double, q: singleQ, sampleRate: rate) },
      { $0.set(frequency: double, q: doubleQ, sampleRate: rate) })
  }

  /// Expects the same coefficients after two set-ups of a filter, and other coefficients than before.
  private func same<Filter: MoFilter>(
    _ filter: Filter, _ first: (inout Filter) -> Void, _ second: (inout Filter) -> Void
  ) {
    var (one, other) = (filter, filter)
    first(&one)
    second(&other)
    #expect(one.coefficients == other.coefficients && one.coefficients != filter.coefficients)
  }

  @Test("a delay of a Float number of samples equals the delay of a Double number")
  func delay() {
    let delay: Float = 12.34
    var (line, other) = (DelayLine(longest: 100), DelayLine(longest: 100))
    for frame in 0..<64 {
      let input = Float(frame * frame % 17)
      let (heard, expected) = (line.tick(input, delay: delay), other.tick(input, delay: Double(delay)))
      #expect(heard == expected)
      #expect(line.linear(delay) == expected && line.cubic(delay) == other.cubic(Double(delay)))
    }
    var (comb, echo) = (
      Comb(delay: 100, feedback: 0, longest: 100), Comb(delay: 100, feedback: 0, longest: 100)
    )
    comb.setDecay(seconds: delay, sampleRate: rate)
    echo.setDecay(seconds: Double(delay), sampleRate: rate)
    #expect(comb.feedback == echo.feedback && comb.feedback > 0)
  }
}
