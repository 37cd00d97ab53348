import CALSA

/// The far side of one loopback cable pair: what a program plays on `hw:Loopback,0,0` this hears on
/// `hw:Loopback,1,0`, and what this plays there the program hears.
final class LoopbackPeer<Sample: FixedWidthInteger> {
  let out: PCM<Sample>
  let ears: PCM<Sample>
  var xruns: Int { out.xruns + ears.xruns }

  init(out: PCM<Sample>, ears: PCM<Sample>) {
    self.out = out
    self.ears = ears
  }

  convenience init(
    side: Int = 1, _ format: snd_pcm_format_t, channels: Int = 2, rate: UInt32 = 48_000, period: Int = 256,
    periods: Int = 4
  ) throws {
    let device = "hw:Loopback,\(side),0"
    self.init(
      out: try PCM(
        device, SND_PCM_STREAM_PLAYBACK, format, channels: channels, rate: rate, period: period,
        periods: periods),
      ears: try PCM(
        device, SND_PCM_STREAM_CAPTURE, format, channels: channels, rate: rate, period: period,
        periods: periods))
  }

  /// Plays `samples`, then silence, and returns what was heard meanwhile, which is two buffers longer.
  func exchange(_ samples: [Sample]) throws -> [Sample] {
    let chunk = out.period * out.channels
    let silence = 2 * out.bufferFrames * out.channels
    let padding = silence + (chunk - samples.count % chunk) % chunk
    let played = samples + [Sample](repeating: 0, count: padding)
    var heard: [Sample] = []
    heard.reserveCapacity(played.count)
    try ears.start()
    for at in stride(from: 0, to: played.count, by: chunk) {
      try out.play(played[at..<at + chunk])
      heard += try ears.hear(out.period)
    }
    return heard
  }
}
