import Glibc
import MoDSP

let hearing: [Piece] = [
  Piece("pitch-tracker", "left a voice that wavers, right a tone that follows it, 20 ms behind") {
    let tracker = PitchTracker()
    var (saw, filter, tone, level) = (
      Saw(), BiQuad(.lowPass(frequency: 1200, sampleRate: rate)), Sine(), Slew(0, within: 0.02)
    )
    return { time in
      let ends = Float(max(0, min(1, min(time / 0.1, (2.7 - time) / 0.2))))
      saw.frequency =
        glide(147, 294, 0.5 - 0.5 * cos(.pi * time / 1.35)) * exp2(sin(2 * .pi * 5.5 * time) / 24)
      let voice = 0.3 * ends * filter.tick(saw.tick())
      if tracker.tick(voice), let heard = tracker.pitch.clear { tone.frequency = Double(heard) }
      level.goal = tracker.pitch.clear == nil ? 0 : 0.2
      return SIMD2(voice, ends * level.advance(by: Float(1 / rate)) * tone.tick())
    }
  },
  Piece("onsets", "left a drum, right a click at each stroke that was heard") {
    var (drum, detector, click, envelope) = (
      Drum(frequency: 110, seed: 1), OnsetDetector(), Sine(frequency: 1760),
      BreakpointEnvelope([.init(0.3, after: 0.001), .init(0, after: 0.05, curve: -4)])
    )
    return { time in
      if [0.1, 0.4, 0.7, 0.9, 1.0, 1.4].contains(where: { Int($0 * rate) == Int((time * rate).rounded()) }) {
        drum.strike(0.7)
      }
      let sound = drum.tick()
      if detector.tick(sound) != nil { envelope.on() }
      return SIMD2(sound, envelope.tick() * click.tick())
    }
  },
  .endless("stft", "a saw whose phases are all set to 0, frame by frame: a robot", gain: 0.5, expects: ["dc"])
  {
    let stft = try? STFT(size: 1024)
    var (saw, filter) = (Saw(), StateVariable(.lowPass, frequency: 800, q: 3, sampleRate: rate))
    return { time in
      saw.frequency = glide(110, 220, 0.5 - 0.5 * cos(2 * .pi * time / 3))
      filter.set(frequency: 600 + 500 * sin(2 * .pi * time * 2), q: 3, sampleRate: rate)
      let sound = 0.5 * filter.tick(saw.tick())
      return stft?.tick(sound) { bins in
        bins[0] = Complex(0)
        for k in 1..<bins.count { bins[k] = Complex(k % 2 == 0 ? bins[k].magnitude : -bins[k].magnitude) }
      } ?? 0
    }
  },
]

/// What is played by a gesture.
let players: [Piece] = [
  .mono("drum", "five strokes, harder each time: louder and brighter, the pitch falls") {
    var drum = Drum(seed: 1)
    var strokes = 0
    return { time in
      if strokes < 5, time >= 0.4 * Double(strokes) {
        strokes += 1
        drum.strike(0.2 * Float(strokes))
      }
      return drum.tick()
    }
  },
  .mono(
    "shaker-grain", "a tenth of a second at full energy: single seeds, and pauses between them", seconds: 1.2
  ) {
    var shaker = Shaker(seed: 1)
    return { time in shaker.tick(time < 0.1 ? 1 : 0) }
  },
  .mono("shaker", "shaken four times a second, wilder and wilder, then still") {
    var shaker = Shaker(seed: 1)
    return { time in shaker.tick(time < 2.2 ? Float(time / 2.2 * max(0, sin(2 * .pi * 4 * time))) : 0) }
  },
]
