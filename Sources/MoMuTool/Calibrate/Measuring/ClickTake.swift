import MoTime

/// What was recorded while the clicks were played, and what the device said about when.
struct ClickTake {
  /// When one block reached the ear, and when what was recorded with it had reached the microphone, by the device's
  /// own account.
  struct Block: Equatable {
    /// The number of its first frame, played and recorded.
    var position: Int
    /// When that frame reaches the ear.
    var played: HostTime
    /// When the frame that was recorded with it reached the microphone.
    var recorded: HostTime

    /// What the device knows to lie between playing a sound and recording it, in seconds.
    var knownSeconds: Double { played.seconds(since: recorded) }
  }

  /// Sound by frame, counted as it was played.
  var recording: [Float]
  /// By position.
  var blocks: [Block]
  var sampleRate: Double

  /// What the device knew around a frame, in seconds: the median of some tenths of a second, since a single look
  /// may be held up.
  func knownSeconds(around frame: Int) -> Double? {
    let near = blocks.filter { abs(Double($0.position - frame)) < Self.look * sampleRate }
    return median(near.map(\.knownSeconds))
  }

  private static let look = 0.15
}

/// The middle of some numbers; of an even count the lower mean of the two middle ones is their average.
func median(_ numbers: [Double]) -> Double? {
  guard !numbers.isEmpty else { return nil }
  let sorted = numbers.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
