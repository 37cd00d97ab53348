import Glibc
import MoDSP
import MoTesting
import Testing

@Suite("Envelopes")
struct EnvelopeTests {
  @Test("attack, decay, sustain and release take the set times", arguments: [8000.0, 48_000])
  func times(sampleRate: Double) {
    var envelope = ADSR(attack: 0.1, decay: 0.2, sustain: 0.5, release: 0.4, sampleRate: sampleRate)
    #expect(!envelope.isSounding && envelope.tick() == 0)
    envelope.on()
    let attack = render(Int(0.1 * sampleRate) + 1) { envelope.tick() }
    // Rounding may make it a sample later.
    #expect(attack.max() == 1 && attack.dropLast(2).allSatisfy { $0 < 1 })
    #expect(zip(attack, attack.dropFirst().dropLast()).allSatisfy { $0 < $1 })
    let decay = render(Int(0.2 * sampleRate)) { envelope.tick() }
    #expect(abs(decay[Int(0.1 * sampleRate) - 1] - Float(0.5 + 0.5 * 0.001.squareRoot())) < 1e-3)
    #expect(abs((decay.last ?? 0) - 0.5005) < 1e-5)
    _ = render(Int(sampleRate)) { envelope.tick() }
    #expect(abs(envelope.level - 0.5) < 1e-9)
    envelope.off()
    // A curve from 1 to 0 in 0.4 s reaches 0.5 after 0.04 s.
    let left = 0.4 * (1 - log(1.001 / 0.501) / log(1001))
    let release = render(Int(sampleRate)) { envelope.tick() }
    #expect(abs(Double(release.firstIndex(of: 0) ?? 0) - left * sampleRate) < 3)
    #expect(!envelope.isSounding && envelope.level == 0)
  }

  @Test("a sustain of 0 ends by itself at exactly 0, without denormal numbers", arguments: [8000.0, 48_000])
  func plucked(sampleRate: Double) {
    var envelope = ADSR(attack: 0.001, decay: 0.2, sustain: 0, release: 0.1, sampleRate: sampleRate)
    envelope.on()
    // 60 dB in 0.2 s: 100 dB in 0.33 s.
    _ = render(Int(0.3 * sampleRate)) { envelope.tick() }
    #expect(envelope.isSounding)
    let end = render(Int(0.1 * sampleRate)) { envelope.tick() }
    #expect(!envelope.isSounding && envelope.level == 0 && end.last == 0)
    #expect(end.allSatisfy { $0 == 0 || $0 > 1e-6 })
  }

  @Test("a note that begins or ends at any moment gives no jump")
  func interrupted() {
    var (envelope, random) = (
      ADSR(attack: 0.02, decay: 0.02, sustain: 0.6, release: 0.05), TestRandom(seed: 2)
    )
    let levels = (0..<200_000).map { sample in
      if sample % 700 == 0 { if random.uniform() < 0.5 { envelope.on() } else { envelope.off() } }
      return envelope.tick()
    }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { abs($0 - $1) < 0.008 })
    #expect(levels.allSatisfy { (0...1).contains($0) } && levels.contains(1))
  }

  @Test(
    "invalid times and levels count as the nearest valid ones", arguments: [.nan, -1, 0] as [Double])
  func nonsense(bad: Double) {
    var envelope = ADSR(attack: bad, decay: bad, sustain: bad, release: bad)
    envelope.on()
    #expect(envelope.tick() == 1)
    #expect(envelope.tick() == 0)
    envelope.sustain = 7
    envelope.on()
    _ = render(10) { envelope.tick() }
    #expect(envelope.level == 1)
    envelope.off()
    #expect(envelope.tick() == 0 && !envelope.isSounding)
    var other = BreakpointEnvelope(
      [.init(1, after: bad, curve: bad), .init(0.5, after: 1e300)], sampleRate: 48_000)
    other.on()
    #expect(other.tick() == 1)
    #expect(AudioMeasures.isFinite(render(1000) { other.tick() }))
  }

  @Test("breakpoints are reached in time, on straight or exponential lines")
  func breakpoints() {
    var envelope = BreakpointEnvelope(
      [
        .init(1, after: 0.1), .init(0.25, after: 0.2, curve: 3), .init(0.25, after: 0.05),
        .init(0, after: 0.1),
      ],
      sampleRate: 1000)
    #expect(envelope.tick() == 0 && !envelope.isSounding)
    envelope.on()
    let levels = render(500) { envelope.tick() }
    for (sample, level) in [(49, 0.5), (99, 1), (299, 0.25), (349, 0.25), (399, 0.125), (449, 0), (499, 0)] {
      #expect(abs(Double(levels[sample]) - level) < 1e-6)
    }
    // Half of the duration of a curved line: (e^1.5 − 1) / (e^3 − 1) of its height.
    #expect(abs(Double(levels[199]) - (1 - 0.75 * expm1(1.5) / expm1(3))) < 1e-6)
    #expect(!envelope.isSounding && envelope.count == 4)
  }

  @Test("an envelope holds at its point until its release, and a release before that is immediate")
  func hold() {
    let points: [BreakpointEnvelope.Point] = [
      .init(1, after: 0.1), .init(0.5, after: 0.1), .init(0, after: 0.1),
    ]
    var envelope = BreakpointEnvelope(points, hold: 1, sampleRate: 1000)
    envelope.on()
    #expect(render(1000) { envelope.tick() }.last == 0.5)
    #expect(envelope.isSounding)
    envelope.off()
    let release = render(100) { envelope.tick() }
    #expect(abs(release[49] - 0.25) < 1e-6 && release[99] == 0 && !envelope.isSounding)

    envelope.on()
    _ = render(50) { envelope.tick() }
    envelope.off()
    let early = render(100) { envelope.tick() }
    #expect(abs(early[49] - 0.25) < 1e-6 && early[99] == 0 && !envelope.isSounding)
    envelope.off()
    #expect(!envelope.isSounding)
    #expect(BreakpointEnvelope(Array(repeating: .init(0, after: 1), count: 17)).count == 16)
  }

  @Test("a follower rises and falls by 63 % in its times, and measures a steady sine exactly")
  func follower() {
    var peak = EnvelopeFollower(.peak, attack: 0.01, release: 0.1, sampleRate: 1000)
    #expect(abs(Double(render(10) { peak.tick(-1) }[9]) - (1 - exp(-1))) < 1e-6)
    _ = render(1000) { peak.tick(1) }
    #expect(abs(Double(render(100) { peak.tick(0) }[99]) - exp(-1)) < 1e-5)
    #expect(render(20_000) { peak.tick(0) }.last == 0)

    var sine = Sine(frequency: 1000)
    let samples = render(48_000) { sine.tick() }
    var (rms, fast) = (
      EnvelopeFollower(.rms, attack: 0.05, release: 0.05), EnvelopeFollower(.peak, attack: 0, release: 1)
    )
    for sample in samples { (_, _) = (rms.tick(sample), fast.tick(sample)) }
    #expect(abs(Double(rms.level) - 0.5.squareRoot()) < 0.01)
    #expect(abs(fast.level - 1) < 0.001)
    let (wholeRMS, wholePeak) = (MoFun.rms(samples.span), MoFun.peak(samples.span))
    #expect(abs(Double(wholeRMS) - 0.5.squareRoot()) < 1e-6)
    #expect(wholePeak == AudioMeasures.peak(samples))
    _ = rms.tick(.nan)
    _ = rms.tick(.infinity)
    #expect(rms.tick(0).isFinite)
    let nothing: [Float] = []
    let (noRMS, noPeak) = (MoFun.rms(nothing.span), MoFun.peak(nothing.span))
    #expect(noRMS == 0 && noPeak == 0)
    var block = EnvelopeFollower(.rms)
    var ticking = EnvelopeFollower(.rms)
    for sample in samples { _ = ticking.tick(sample) }
    let level = block.process(samples.span)
    #expect(level == ticking.level)
  }
}
