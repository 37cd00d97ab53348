import Glibc

/// The program as a user runs it: a gesture at the kernel's accelerometer, and its sound at the loopback.
func checkShakeDrum(_ report: Report) throws {
  let player = try VirtualAccelerometer()
  let gesture = ShakeGesture(shakes: [1.0, 1.8, 2.45, 3.4, 4.3, 5.05], seconds: 6)
  let peer = try LoopbackPeer(side: 1, .s16)
  var process = pid_t()
  let arguments = [
    "/programs/ShakeDrum", "--audio", "hw:Loopback,0,0", "--accel", "evdev:\(player.path)", "--seconds", "8",
    "--seed", "1", "--quiet",
  ]
  let words = arguments.map { strdup($0) } + [nil]
  defer { for word in words { free(word) } }
  guard posix_spawn(&process, arguments[0], nil, nil, words, environ) == 0 else {
    throw Failure(call: "posix_spawn")
  }
  pause(0.5)
  let playing = Sending(player)
  let hand = Background { playing.value.play(gesture.samples) }
  let heard = try peer.exchange([Int32](repeating: 0, count: 2 * 48_000 * 7))
  try hand.wait()
  var status: Int32 = 0
  waitpid(process, &status, 0)
  report.check("it ends by itself, with status 0", status == 0, "\(status)")
  let onsets = drumOnsets(heard)
  report.check(
    "6 shakes are 6 hits of the drum", onsets.count == gesture.shakes.count, "\(onsets.count): \(onsets)")
  let gaps = zip(onsets.dropFirst(), onsets).map { $0 - $1 }
  let wanted = zip(gesture.shakes.dropFirst(), gesture.shakes).map { $0 - $1 }
  let worst = zip(gaps, wanted).map { abs($0 - $1) }.max() ?? 9
  report.check("hits have the intervals of the shakes, within 20 ms", worst < 0.02, "\(worst) s")
}

/// The times of the drum's strikes, in seconds, from the sound below 200 Hz, which the shaker does not have.
private func drumOnsets(_ samples: [Int32]) -> [Double] {
  var onsets: [Double] = []
  var isArmed = true
  let window = 2 * 240
  var low = LowBand()
  for start in stride(from: 0, to: samples.count - window, by: window) {
    let peak = samples[start..<start + window].map { abs(low.tick(Double($0) * 0x1p-31)) }.max() ?? 0
    if isArmed && peak > 0.1 {
      onsets.append(Double(start / 2) / 48_000)
      isArmed = false
    } else if peak < 0.07 && Double(start / 2) / 48_000 > (onsets.last ?? 0) + 0.2 {
      // Between two cycles of the same stroke the level is low for a moment, too.
      isArmed = true
    }
  }
  return onsets
}

/// Two low-pass filters of 200 Hz in series, over two identical interleaved channels.
private struct LowBand {
  private var first = 0.0
  private var second = 0.0
  private let step = 1 - exp(-2 * Double.pi * 200 / 96_000)

  mutating func tick(_ sample: Double) -> Double {
    first += step * (sample - first)
    second += step * (first - second)
    return second
  }
}
