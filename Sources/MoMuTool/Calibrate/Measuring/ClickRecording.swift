import MoCore

/// What was recorded while the clicks were played, and what the device said about when.
struct ClickRecording {
  /// When one block is played and was recorded, by the device's own account.
  struct Block: Equatable {
    /// The number of its first frame, played and recorded.
    var position: Int
    /// When that frame reaches the ear.
    var played: HostTime
    /// When the frame that was recorded with it had reached the microphone.
    var recorded: HostTime
  }

  /// Sound by frame, counted as it was played.
  var recording: [Float]
  let sampleRate: Double
  /// Where blocks begin, in order.
  private let positions: [Int]
  /// What the device knows to lie between playing a sound and recording it, block by block, in seconds.
  private let known: [Double]

  /// A single look at the device may be held up: so many seconds of them decide together, to either side.
  private static let look = 0.15

  /// - Parameter blocks: by position; none where the device recorded nothing.
  init(recording: [Float], blocks: [Block], sampleRate: Double) {
    (self.recording, self.sampleRate) = (recording, sampleRate)
    // What is played has been smoothed already.
    var clock = CardClock(nominalRate: sampleRate)
    positions = blocks.map(\.position)
    known = blocks.map { block in
      clock.observe(frame: Int64(block.position), at: block.recorded)
      return block.played.seconds(since: clock.time(ofFrame: Int64(block.position)))
    }
  }

  /// What the device knew around a frame, in seconds; nil where it was not asked then.
  func knownSeconds(around frame: Int) -> Double? {
    let reach = Int(Self.look * sampleRate)
    let near = positions.indices.filter { abs(positions[$0] - frame) < reach }
    return median(near.map { known[$0] })
  }
}

/// The middle of some numbers; the mean of the two in the middle of an even count; nil of none.
func median(_ numbers: [Double]) -> Double? {
  guard !numbers.isEmpty else { return nil }
  let sorted = numbers.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
