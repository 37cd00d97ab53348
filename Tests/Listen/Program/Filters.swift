import Glibc
import MoDSP

/// White noise through a filter.
private func noise(_ name: String, _ about: String, _ filter: some MoFilter & SendableMetatype) -> Piece {
  .endless(name, "noise: " + about) {
    var (filter, noise) = (filter, Noise(seed: 1))
    return { _ in filter.tick(noise.tick()) }
  }
}

private func noise(_ name: String, _ about: String, _ coefficients: FilterCoefficients) -> Piece {
  noise(name, about, BiQuad(coefficients))
}

private func set<Filter: MoFilter>(_ filter: Filter, _ change: (inout Filter) -> Void) -> Filter {
  var filter = filter
  change(&filter)
  return filter
}

let filters: [Piece] = [
  noise("one-zero", "nothing at half the sample rate", OneZero()),
  noise("one-pole", "duller, 6 dB an octave from 770 Hz", OnePole(pole: 0.9)),
  noise("one-pole-high", "thinner", OnePole(pole: -0.9)),
  noise(
    "two-zero", "a wide notch at 6 kHz",
    set(TwoZero()) { $0.setNotch(frequency: 6000, radius: 1, sampleRate: rate) }),
  noise(
    "two-pole", "a note of 1 kHz",
    set(TwoPole()) { $0.setResonance(frequency: 1000, radius: 0.995, normalize: true, sampleRate: rate) }),
  noise("low-pass", "nothing far above 1 kHz", .lowPass(frequency: 1000, sampleRate: rate)),
  noise("high-pass", "nothing far below 1 kHz", .highPass(frequency: 1000, sampleRate: rate)),
  noise("band-pass", "most at 1 kHz", .bandPass(frequency: 1000, q: 4, sampleRate: rate)),
  noise("notch", "a dark line at 1 kHz", .notch(frequency: 1000, q: 4, sampleRate: rate)),
  noise("peak", "a bright line at 1 kHz", .peak(frequency: 1000, q: 4, decibels: 15, sampleRate: rate)),
  noise("low-shelf", "12 dB more below 300 Hz", .lowShelf(frequency: 300, decibels: 12, sampleRate: rate)),
  noise("high-shelf", "12 dB less above 3 kHz", .highShelf(frequency: 3000, decibels: -12, sampleRate: rate)),
  .endless("cascade", "noise: a cliff at 1 kHz, 96 dB an octave") {
    var (cascade, noise) = (Cascade.lowPass(order: 16, frequency: 1000, sampleRate: rate), Noise(seed: 1))
    return { _ in cascade.tick(noise.tick()) }
  },
  .endless("dc-blocker", "a tone beside a constant: the constant goes within 20 ms", gain: 0.5) {
    var (blocker, sine) = (PoleZero(), Sine(frequency: 220))
    blocker.setBlockZero(0.995)
    return { _ in blocker.tick(0.5 * sine.tick() + 0.5) }
  },
  .mono(
    "resonance", "one impulse into a biquad: a bell that dies away, no noise at its end", expects: ["click"]
  ) {
    var filter = set(BiQuad()) { $0.setResonance(frequency: 880, radius: 0.9998, sampleRate: rate) }
    filter.gain = 0.03
    return { time in filter.tick(time == 0 ? 1 : 0) }
  },
  .endless("state-variable", "a saw, the filter moved at every sample, ringing: smooth, no steps", gain: 0.1)
  {
    var filter = StateVariable(.lowPass, frequency: 200, q: 8, sampleRate: rate)
    var saw = Saw(frequency: 110)
    return { time in
      filter.set(frequency: 1200 * exp2(2 * sin(2 * .pi * time * 1.5)), q: 8, sampleRate: rate)
      return filter.tick(saw.tick())
    }
  },
]
