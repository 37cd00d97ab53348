import MoInstruments
import MoTesting
import MoTime
import Testing

@Suite("The quantiser")
struct QuantiserTests {
  @Test("never goes back, and never further than the next line")
  func forward() {
    var random = TestRandom(seed: 11)
    for _ in 0..<20_000 {
      let steps = Double([1, 2, 3, 4, 6, 8].randomElement(using: &random)!)
      let quantiser = Quantiser(
        stepsPerBeat: steps, strength: .random(in: 0...1, using: &random),
        swing: .random(in: 0...1, using: &random),
        grace: .random(in: 0...0.5, using: &random))
      let played = Double.random(in: -50...500, using: &random)
      let beat = quantiser.beat(for: played)
      #expect(beat >= played - 1e-12)
      #expect(beat - played <= 1.5 / steps + 1e-12)
    }
  }

  @Test("puts what is played on the line, halfway, or leaves it")
  func strength() {
    #expect(Quantiser(grace: 0).beat(for: 1.1) == 1.25)
    #expect(abs(Quantiser(strength: 0.5, grace: 0).beat(for: 1.15) - 1.2) < 1e-12)
    #expect(Quantiser(strength: 0).beat(for: 1.1) == 1.1)
    #expect(Quantiser(stepsPerBeat: 0).beat(for: 1.1) == 1.1)
    #expect(Quantiser(grace: 0).beat(for: 1.25) == 1.25)
  }

  @Test("leaves what is a little late where it is")
  func grace() {
    #expect(Quantiser(grace: 0.1).beat(for: 1.02) == 1.02)
    #expect(Quantiser(grace: 0.1).beat(for: 1.03) == 1.25)
  }

  @Test("swings: the second sixteenth of a pair at two thirds of it")
  func swing() {
    let quantiser = Quantiser(swing: 2.0 / 3, grace: 0)
    #expect(abs(quantiser.beat(for: 2.1) - (2 + 1.0 / 3)) < 1e-12)
    #expect(abs(quantiser.beat(for: 2.4) - 2.5) < 1e-12)
    // Pairs are counted from the bar's line.
    #expect(abs(quantiser.beat(for: 2.3, from: 0.25) - (2.25 + 1.0 / 3)) < 1e-12)
  }

  @Test("takes what is no number, or too much, for the range's end")
  func clamps() {
    let quantiser = Quantiser(stepsPerBeat: .nan, strength: 7, swing: 2, grace: -1)
    #expect(quantiser == Quantiser(stepsPerBeat: 0, strength: 1, swing: 1, grace: 0))
    #expect(Quantiser().beat(for: .infinity) == .infinity)
  }

  @Test("plays at once while no rhythm runs, and on the next line while one does")
  func time() {
    let clock = ManualClock()
    let rhythm = Rhythm(tempo: 120, clock: clock)
    let quantiser = Quantiser(grace: 0)
    #expect(quantiser.time(for: HostTime(seconds: 0.3), on: rhythm.beat) == HostTime(seconds: 0.3))
    rhythm.start()
    // A sixteenth is 125 ms.
    #expect(quantiser.time(for: HostTime(seconds: 0.3), on: rhythm.beat) == HostTime(seconds: 0.375))
    #expect(quantiser.time(for: HostTime(seconds: 0.5), on: rhythm.beat) == HostTime(seconds: 0.5))
  }
}
