/// What is played to measure a delay: clicks at known frames, with silence between.
struct ClickScore {
  let chirp: Chirp
  /// The frame at which each click begins.
  let onsets: [Int]
  /// All that is played, within ±1.
  let samples: [Float]
  /// The longest delay that is looked for, in frames.
  let longestDelay: Int

  /// Seconds before the first click, for the card's clock to settle and the room's noise to be heard.
  private static let lead = 1.0
  private static let longest = 0.75
  private static let level: Float = 0.5

  /// - Parameters:
  ///   - clicks: how many, at least 1.
  ///   - sampleRate: frames a second of the device.
  init(clicks: Int, sampleRate: Double) {
    let chirp = Chirp(sampleRate: sampleRate)
    let longest = Int(Self.longest * sampleRate)
    var samples = [Float](repeating: 0, count: Int(Self.lead * sampleRate))
    var onsets: [Int] = []
    for click in 0..<clicks {
      onsets.append(samples.count)
      samples += chirp.samples.map { Self.level * $0 }
      // Never twice the same pause: a delay longer than a pause would pass for a shorter one, click after click.
      let pause = Double(longest) + sampleRate * 0.013 * Double(1 + click * 7 % 11)
      samples += [Float](repeating: 0, count: Int(pause))
    }
    (self.chirp, self.onsets, self.samples, longestDelay) = (chirp, onsets, samples, longest)
  }
}
