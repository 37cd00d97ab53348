import Glibc
import MoCore
import MoTesting

@testable import MoMuTool

/// A simulated loudspeaker, room and microphone: each path through the air is a delay and a gain.
struct SimulatedRoom {
  struct Path {
    var seconds: Double
    var gain: Double
  }

  static let rate = 48_000.0

  /// The paths from the loudspeaker to the microphone; the first is the direct one.
  var paths: [Path]
  /// The level of the noise relative to the direct sound, both as root mean squares.
  var noise = 0.0
  /// The level at which the microphone clips.
  var limit = Float.infinity
  /// The delay from playing to recording that the device reports, in seconds.
  var known = 0.02
  /// Returns the extra delay of a click in seconds, as of a device that stutters.
  var late: (Int) -> Double = { _ in 0 }

  init(delay seconds: Double, gain: Double = 0.5) { paths = [Path(seconds: seconds, gain: gain)] }

  /// Returns the recording of a score, with the times that the device reports.
  func take(_ score: ClickScore, seed: UInt64 = 1) -> ClickRecording {
    var random = TestRandom(seed: seed)
    var sound = [Float](repeating: 0, count: score.samples.count)
    for (click, onset) in score.onsets.enumerated() {
      for path in paths {
        let delay = (path.seconds + late(click)) * Self.rate
        add(score, onset, delay: delay, gain: path.gain, to: &sound)
      }
    }
    let loudness = level(score) * (paths.first?.gain ?? 0)
    for index in sound.indices {
      let hiss = noise * loudness * gauss(&random)
      sound[index] = max(-limit, min(limit, sound[index] + Float(hiss)))
    }
    let blocks = stride(from: 0, to: sound.count, by: 256).map { position in
      let played = HostTime.zero.advanced(bySeconds: 5 + Double(position) / Self.rate)
      return ClickRecording.Block(
        position: position, played: played, recorded: played.advanced(bySeconds: -known))
    }
    return ClickRecording(recording: sound, blocks: blocks, sampleRate: Self.rate)
  }

  /// Adds a click between frames, by Shannon's interpolation with a Hann window of 64 frames.
  private func add(_ score: ClickScore, _ onset: Int, delay: Double, gain: Double, to sound: inout [Float]) {
    let whole = Int(delay.rounded(.down))
    let part = delay - Double(whole)
    let taps = (-32...32).map { tap -> Double in
      let x = Double(tap) - part
      return (x == 0 ? 1 : sin(.pi * x) / (.pi * x)) * (0.5 + 0.5 * cos(.pi * x / 33))
    }
    for frame in -32..<score.chirp.frames + 32 {
      var value = 0.0
      for (index, tap) in taps.enumerated() {
        let from = frame - (index - 32)
        if (0..<score.chirp.frames).contains(from) { value += tap * Double(score.samples[onset + from]) }
      }
      let place = onset + frame + whole
      if sound.indices.contains(place) { sound[place] += Float(gain * value) }
    }
  }

  private func level(_ score: ClickScore) -> Double {
    let click = score.samples[score.onsets[0]..<score.onsets[0] + score.chirp.frames]
    return (click.reduce(0) { $0 + Double($1 * $1) } / Double(click.count)).squareRoot()
  }

  /// Returns a normally distributed number (Box and Muller, 1958).
  private func gauss(_ random: inout TestRandom) -> Double {
    (-2 * log(1 - random.uniform())).squareRoot() * cos(2 * .pi * random.uniform())
  }
}
