import MoCore
import MoInstruments
import MoTesting
import Testing

@Suite("Quantiser")
struct QuantiserTests {
  @Test(
    "clamps values that are set later, so that each note has a line",
    arguments: [.infinity, -.infinity, .nan, 1e300, 1e18, -1e18] as [Double])
  func setLater(value: Double) {
    var quantiser = Quantiser()
    quantiser.swing = value
    #expect((0...1).contains(quantiser.swing) && quantiser.beat(for: 3.1).isFinite)
    quantiser.stepsPerBeat = value
    #expect((0...64).contains(quantiser.stepsPerBeat) && quantiser.beat(for: 3.1).isFinite)
    quantiser.strength = value
    #expect((0...1).contains(quantiser.strength) && quantiser.beat(for: 3.1).isFinite)
  }

  @Test("moves to the nearest line: no other grid line is nearer, at any swing")
  func nearest() {
    var random = TestRandom(seed: 11)
    for _ in 0..<20_000 {
      let steps = Double([1, 2, 3, 4, 6, 8].randomElement(using: &random)!)
      let swing = Double.random(in: 0...1, using: &random)
      let quantiser = Quantiser(stepsPerBeat: steps, swing: swing)
      let played = Double.random(in: -50...500, using: &random)
      let beat = quantiser.beat(for: played)
      // Lines by definition: pairs of steps whose second is late by `swing` halves of a step.
      let pair = (played * steps / 2).rounded(.down)
      var lines: [Double] = []
      for index in -1...2 {
        let first: Double = 2 * (pair + Double(index))
        lines += [first, first + 1 + swing / 2]
      }
      let nearest = lines.map { abs($0 / steps - played) }.min() ?? 0
      #expect(abs(abs(beat - played) - nearest) < 1e-9)
      #expect(lines.contains { abs($0 / steps - beat) < 1e-9 })
    }
  }

  @Test("moves notes onto the line, halfway, or not at all")
  func strength() {
    #expect(Quantiser().beat(for: 1.1) == 1)
    #expect(Quantiser().beat(for: 1.15) == 1.25)
    #expect(Quantiser().beat(for: 1.125) == 1.25)
    #expect(abs(Quantiser(strength: 0.5).beat(for: 1.15) - 1.2) < 1e-12)
    #expect(abs(Quantiser(strength: 0.5).beat(for: 1.1) - 1.05) < 1e-12)
    #expect(Quantiser(strength: 0).beat(for: 1.1) == 1.1)
    #expect(Quantiser(stepsPerBeat: 0).beat(for: 1.1) == 1.1)
    #expect(Quantiser().beat(for: 1.25) == 1.25)
  }

  @Test("with swing, the second sixteenth of a pair is at two thirds of it")
  func swing() {
    let quantiser = Quantiser(swing: 2.0 / 3)
    #expect(abs(quantiser.beat(for: 2.2) - (2 + 1.0 / 3)) < 1e-12)
    #expect(quantiser.beat(for: 2.1) == 2)
    #expect(abs(quantiser.beat(for: 2.45) - 2.5) < 1e-12)
    // Pairs are counted from the bar line.
    #expect(abs(quantiser.beat(for: 2.5, from: 0.25) - (2.25 + 1.0 / 3)) < 1e-12)
  }

  @Test("clamps values out of range, and NaN counts as 0")
  func clamps() {
    let quantiser = Quantiser(stepsPerBeat: .nan, strength: 7, swing: 2)
    #expect(quantiser == Quantiser(stepsPerBeat: 0, strength: 1, swing: 1))
    #expect(Quantiser().beat(for: .infinity) == .infinity)
  }
}
