/// The sound that is played to measure a delay: clicks at known frames, with silence between them.
struct ClickScore {
  let chirp: Chirp
  /// The first frame of each click.
  let onsets: [Int]
  /// The samples to play, within ±1.
  let samples: [Float]
  /// The longest delay that can be found, in frames.
  let longestDelay: Int

  /// The silence before the first click, in seconds; in this time, the card's clock settles and the room's noise is
  /// recorded.
  private static let lead = 1.0
  private static let longest = 0.75
  private static let level: Float = 0.5

  /// - Parameters:
  ///   - clicks: the number of clicks, at least 1.
  ///   - sampleRate: the device's sample rate, in Hz.
  init(clicks: Int, sampleRate: Double) {
    let chirp = Chirp(sampleRate: sampleRate)
    let longest = Int(Self.longest * sampleRate)
    var samples = [Float](repeating: 0, count: Int(Self.lead * sampleRate))
    var onsets: [Int] = []
    for click in 0..<clicks {
      onsets.append(samples.count)
      samples += chirp.samples.map { Self.level * $0 }
      // The pauses differ: with equal pauses, a delay longer than a pause would look like a shorter one at each click.
      let pause = Double(longest) + sampleRate * 0.013 * Double(1 + click * 7 % 11)
      samples += [Float](repeating: 0, count: Int(pause))
    }
    (self.chirp, self.onsets, self.samples, longestDelay) = (chirp, onsets, samples, longest)
  }
}
