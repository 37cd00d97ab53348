import Glibc
import MoDSP

/// From one frequency to another, as steps of pitch are heard.
func glide(_ from: Double, _ to: Double, _ part: Double) -> Double { from * pow(to / from, part) }

let sources: [Piece] = [
  .endless("sine", "55 Hz to 14 kHz: one line, nothing beside it") {
    var sine = Sine()
    return { time in
      sine.frequency = glide(55, 14_000, time / 3)
      return sine.tick()
    }
  },
  .endless("saw", "55 Hz to 7 kHz: every harmonic rises, nothing falls back") {
    var saw = Saw()
    return { time in
      saw.frequency = glide(55, 7000, time / 3)
      return saw.tick()
    }
  },
  .endless("square", "55 Hz to 7 kHz: odd harmonics, nothing falls back") {
    var square = Square()
    return { time in
      square.frequency = glide(55, 7000, time / 3)
      return square.tick()
    }
  },
  .endless(
    "square-width", "110 Hz, its width going from a half to a thirtieth and back: hollow, then thin",
    expects: ["dc"]
  ) {
    var square = Square(frequency: 110)
    return { time in
      square.width = 0.5 - 0.467 * sin(.pi * time / 3)
      return square.tick()
    }
  },
  .endless("triangle", "55 Hz to 7 kHz: odd harmonics, much softer") {
    var triangle = Triangle()
    return { time in
      triangle.frequency = glide(55, 7000, time / 3)
      return triangle.tick()
    }
  },
  .endless("noise", "as loud at every frequency") {
    var noise = Noise(seed: 1)
    return { _ in noise.tick() }
  },
  .endless("pink-noise", "as loud in every octave: duller", expects: ["dc"]) {
    var noise = PinkNoise(seed: 1)
    return { _ in noise.tick() }
  },
]
