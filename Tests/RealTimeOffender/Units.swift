import MoDSP
import MoMu

/// One of each unit, made before the callback, and a block to work on.
struct Units {
  var oneZero = OneZero()
  var onePole = OnePole()
  var poleZero = PoleZero()
  var twoZero = TwoZero()
  var twoPole = TwoPole()
  var biQuad = BiQuad()
  var stateVariable = StateVariable(.lowPass, frequency: 1000, sampleRate: 48_000)
  var cascade = Cascade.lowPass(order: 8, frequency: 1000, sampleRate: 48_000)
  var sine = Sine()
  var saw = Saw()
  var square = Square()
  var triangle = Triangle()
  var pink = PinkNoise(seed: 1)
  var envelope = ADSR()
  var breakpoints = BreakpointEnvelope([.init(1, after: 0.001), .init(0, after: 0.002, curve: 2)])
  var follower = EnvelopeFollower(.rms)
  var line = DelayLine(longest: 1000)
  var tuned = TunedDelay(delay: 100.3, longest: 1000)
  var comb = Comb(delay: 55.5, feedback: 0.9, longest: 1000)
  var room = Reverb()
  var limiter = Limiter(ceiling: 0.5)
  var scale = Scale.major()
}

final class HeldUnits: @unchecked Sendable {
  // Unchecked: the program has one callback and waits for it.
  var units = Units()
  var samples = [Float](repeating: 0, count: 128)
}

let heldUnits = HeldUnits()

/// Every unit of the signal kit, set and played as an instrument would; no offence.
func playUnits() {
  let held = heldUnits
  set(&held.units)
  for index in held.samples.indices { held.samples[index] = sample(&held.units) }
  process(&held.units, &held.samples)
}

private func sample(_ units: inout Units) -> Float {
  let tone = units.sine.tick() + units.saw.tick() + units.square.tick() + units.triangle.tick()
  let level = units.envelope.tick() + units.breakpoints.tick()
  units.stateVariable.set(frequency: 500 + 400 * Double(level), q: 2, sampleRate: 48_000)
  let filtered = units.stateVariable.tick(tone * level + units.pink.tick())
  units.line.write(filtered)
  let delayed =
    units.line[10] + units.line.linear(20.5) + units.line.cubic(30.5) + units.tuned.tick(filtered)
  return softClip(delayed, limit: 0.9) + 0.01 * units.follower.tick(filtered)
}

private func process(_ units: inout Units, _ samples: inout [Float]) {
  var block = samples.mutableSpan
  units.oneZero.process(&block)
  units.onePole.process(&block)
  units.poleZero.process(&block)
  units.twoZero.process(&block)
  units.twoPole.process(&block)
  units.biQuad.process(&block)
  units.cascade.process(&block)
  units.comb.process(&block)
  units.room.process(interleaved: &block)
  units.limiter.process(&block)
  units.limiter.process(interleaved: &block)
  keep(MoFun.rms(block.span) + MoFun.peak(block.span))
  units.saw.fill(&block)
  units.comb.clear()
  units.cascade.clear()
}

private func set(_ units: inout Units) {
  units.oneZero.setZero(0.5)
  units.onePole.setTime(0.01, sampleRate: 48_000)
  units.poleZero.setBlockZero()
  units.twoZero.setNotch(frequency: 500, radius: 0.99, sampleRate: 48_000)
  units.twoPole.setResonance(frequency: 500, radius: 0.9, normalize: true, sampleRate: 48_000)
  units.biQuad.coefficients = .peak(frequency: 800, q: 2, decibels: 6, sampleRate: 48_000)
  units.cascade[0] = .lowShelf(frequency: 200, decibels: -3, sampleRate: 48_000)
  keep(units.biQuad.response(at: 1000, sampleRate: 48_000).decibels)
  let note = units.scale.nearest(to: MoFun.map(0.3, from: (0, 1), to: (40, 80)))
  units.sine.frequency = MoFun.midiToHz(Double(note))
  units.scale = .minorPentatonic(root: units.scale.note(3))
  units.tuned.delay = 99.7
  units.comb.setDecay(seconds: 1, sampleRate: 48_000)
  if units.envelope.isSounding { units.envelope.off() } else { units.envelope.on() }
  if units.breakpoints.isSounding { units.breakpoints.off() } else { units.breakpoints.on() }
}
