import CALSA

/// One side of the loopback card.
///
/// This side records on `hw:Loopback,1,0` the samples that a program plays on `hw:Loopback,0,0`, and vice versa. The
/// program that opens a side first determines format, rate and channels for both.
final class LoopbackPeer {
  let out: PCM
  let ears: PCM
  var xruns: Int { out.xruns + ears.xruns }

  init(out: PCM, ears: PCM) {
    self.out = out
    self.ears = ears
  }

  convenience init(
    side: Int = 1, _ format: SampleFormat, channels: Int = 2, rate: UInt32 = 48_000, period: Int = 256,
    periods: Int = 4
  ) throws {
    func open(_ stream: snd_pcm_stream_t) throws -> PCM {
      try PCM(
        "hw:Loopback,\(side),0", stream, format, channels: channels, rate: rate, period: period,
        periods: periods)
    }
    self.init(out: try open(SND_PCM_STREAM_PLAYBACK), ears: try open(SND_PCM_STREAM_CAPTURE))
  }

  /// Plays `samples`, then silence, and returns the samples recorded meanwhile.
  ///
  /// The silence is two buffers long: it pushes out the payload's end, which the loopback may otherwise drop.
  func exchange(_ samples: [Int32]) throws -> [Int32] {
    let chunk = out.period * out.channels
    let silence = 2 * out.bufferFrames * out.channels
    let padding = silence + (chunk - samples.count % chunk) % chunk
    let played = samples + [Int32](repeating: 0, count: padding)
    var heard: [Int32] = []
    heard.reserveCapacity(played.count)
    try ears.start()
    for at in stride(from: 0, to: played.count, by: chunk) {
      try out.play(played[at..<at + chunk])
      heard += try ears.hear(out.period)
    }
    return heard
  }
}
