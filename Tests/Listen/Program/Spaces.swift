import Glibc
import MoDSP

/// A short burst of noise at a time, without a mean: a loop would keep that.
private struct Burst {
  var noise = Noise(seed: 1)
  var high = OneZero(zero: 1)

  mutating func tick(_ time: Double, seconds: Double) -> Float {
    let part = (time - 0.02) / seconds
    return high.tick(part >= 0 && part < 1 ? noise.tick() * Float(0.5 - 0.5 * cos(2 * .pi * part)) : 0)
  }
}

let spaces: [Piece] = [
  .endless(
    "delay-line", "a saw and itself, later by 1 to 9 ms and moving: a comb that sweeps, no zip", gain: 0.15
  ) {
    var (line, saw) = (DelayLine(longest: 1000), Saw(frequency: 110))
    return { time in
      let sound = saw.tick()
      return sound + line.tick(sound, delay: 240 - 190 * cos(2 * .pi * time / 3))
    }
  },
  .mono("comb", "a burst into a comb of 110 Hz: a string that grows dull and dies") {
    var (comb, burst) = (Comb(delay: rate / 110, feedback: 0, longest: 1000), Burst())
    comb.setDecay(seconds: 2, sampleRate: rate)
    comb.damping = 0.3
    return { time in 0.5 * comb.tick(burst.tick(time, seconds: 0.01)) }
  },
  .mono("tuned-delay", "the same as a string whose pitch is exact at high notes: 1760 Hz") {
    var (delay, burst, filter) = (
      TunedDelay(delay: rate / 1760 - 0.5, longest: 100), Burst(), OneZero()
    )
    var back: Float = 0
    return { time in
      back = delay.tick(burst.tick(time, seconds: 0.003) + 0.998 * filter.tick(back))
      return 0.5 * back
    }
  },
  Piece("reverb", "two drum strokes in a room: a tail on both sides, no pitch, no flutter", seconds: 4) {
    var (drum, room) = (Drum(frequency: 160, seed: 1), Reverb(seconds: 1.6, mix: 0.4))
    return { time in
      if [0, 0.6].contains(time) { drum.strike(0.7) }
      let (left, right) = room.tick(0.8 * drum.tick())
      return SIMD2(left, right)
    }
  },
  Piece(
    "reverb-impulse", "one impulse in a room, nothing of the impulse itself: noise that fades",
    expects: ["click"]
  ) {
    var room = Reverb(seconds: 1.2, mix: 1)
    return { time in
      let (left, right) = room.tick(time == 0 ? 1 : 0)
      return SIMD2(left, right)
    }
  },
]

let loudness: [Piece] = [
  .endless(
    "soft-clip", "a tone that grows from soft to four times full scale: harmonics come, no edge", gain: 1
  ) {
    var sine = Sine(frequency: 220)
    return { time in softClip(Float(4 * time / 3) * sine.tick(), limit: 0.5) }
  },
  .mono(
    "limiter-tone",
    "60 Hz, 6 dB too loud from 0.5 to 2 s: one line in the spectrum, no harmonics but where it begins"
  ) {
    // As the instruments' bus has it.
    var (sine, limiter) = (
      Sine(frequency: 60), Limiter(ceiling: 0.891, lookAhead: 0.001, release: 0.15, hold: 0.012)
    )
    return { time in
      let loud: Float = time > 0.5 && time < 2 ? 2 : 0.5
      let ends = Float(max(0, min(1, min(time / 0.05, (2.9 - time) / 0.1))))
      return limiter.tick(0.891 * loud * ends * sine.tick())
    }
  },
  .mono("limiter", "drum strokes, too loud by 12 dB: below 0.5, nothing pumps or crackles") {
    var (drum, limiter) = (Drum(frequency: 110, seed: 1), Limiter(ceiling: 0.5))
    return { time in
      if [0, 0.4, 0.8, 1.2].contains(time) { drum.strike(1) }
      return limiter.tick(4 * drum.tick())
    }
  },
]
