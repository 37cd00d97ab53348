import Glibc
import MoDSP

let shapes: [Piece] = [
  .mono("adsr", "three notes: a quick rise, a fall to a level, a slow end") {
    var (saw, envelope, filter) = (
      Saw(), ADSR(attack: 0.01, decay: 0.15, sustain: 0.5, release: 0.4), OnePole(pole: 0.8)
    )
    var beat = -1
    return { time in
      let now = Int(time / 0.8)
      if now != beat, now < 3 {
        (beat, saw.frequency) = (now, MoFun.midiToHz([57, 60, 64][now]))
        envelope.on()
      }
      if time - 0.8 * Double(beat) > 0.5 { envelope.off() }
      return 0.4 * envelope.tick() * filter.tick(saw.tick())
    }
  },
  .mono("breakpoints", "a swell, a dip, a swell, an end: bent lines") {
    var sine = Sine(frequency: 330)
    var envelope = BreakpointEnvelope([
      .init(0.8, after: 0.8, curve: 4), .init(0.2, after: 0.5, curve: -3), .init(0.6, after: 0.5),
      .init(0, after: 0.8, curve: -4),
    ])
    envelope.on()
    return { _ in 0.5 * envelope.tick() * sine.tick() }
  },
  Piece("follower", "left a drum, right noise that is as loud as the drum is") {
    var (drum, follower, noise) = (
      Drum(frequency: 110, seed: 1), EnvelopeFollower(.rms, attack: 0.005, release: 0.05), Noise(seed: 2)
    )
    return { time in
      if [0, 0.7, 1.2].contains(time) { drum.strike(0.8) }
      let sound = drum.tick()
      return SIMD2(sound, follower.tick(sound) * noise.tick())
    }
  },
  .mono("slew", "a tone that is sent from pitch to pitch, and glides", seconds: 2.5) {
    var (sine, pitch) = (Sine(), Slew(57, within: 0.2))
    return { time in
      pitch.goal = [57, 69, 64, 76, 57][min(4, Int(time / 0.5))]
      sine.frequency = MoFun.midiToHz(Double(pitch.advance(by: Float(1 / rate))))
      return 0.3 * Float(max(0, min(1, min(time / 0.02, (2.4 - time) / 0.2)))) * sine.tick()
    }
  },
  .mono("scale", "a glide, put on a minor pentatonic: steps, each a note") {
    var (triangle, envelope, note) = (
      Triangle(), ADSR(attack: 0.003, decay: 0.2, sustain: 0, release: 0.05), 0
    )
    let scale = Scale.minorPentatonic(root: 57)
    return { time in
      let nearest = scale.nearest(to: 57 + 24 * min(1, time / 2.4))
      if nearest != note {
        (note, triangle.frequency) = (nearest, MoFun.midiToHz(Double(nearest)))
        envelope.on()
      }
      return 0.4 * envelope.tick() * triangle.tick()
    }
  },
]
