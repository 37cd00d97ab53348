import MoCore

/// The recording of the clicks, and the delay from playing to recording that the device reported for each block.
struct ClickRecording {
  /// The reported times of a block.
  struct Block: Equatable {
    /// The number of frames that were played before the block; the same number of frames was recorded before the block.
    var position: Int
    /// The time at which the first played frame of the block reaches the ear, as the device reports.
    var played: HostTime
    /// The time at which the first recorded frame of the block reached the microphone, as the device reports.
    var recorded: HostTime
  }

  /// The recorded samples; the index of a sample is the position of the frame that was played in the same callback.
  var recording: [Float]
  let sampleRate: Double
  /// The positions of the blocks' first frames, in order.
  private let positions: [Int]
  /// The reported delay from playing to recording, for each block, in seconds.
  private let known: [Double]

  /// Half the width of the time window, in seconds, over which `knownSeconds(around:)` takes the median of the reported
  /// delays.
  ///
  /// Because of the median, a single late report has no effect.
  private static let look = 0.15

  /// - Parameter blocks: the blocks in order of position; empty if the device recorded nothing.
  init(recording: [Float], blocks: [Block], sampleRate: Double) {
    (self.recording, self.sampleRate) = (recording, sampleRate)
    // The playing times are smoothed already.
    var clock = CardClock(nominalRate: sampleRate)
    positions = blocks.map(\.position)
    known = blocks.map { block in
      clock.observe(frame: Int64(block.position), at: block.recorded)
      return block.played.seconds(since: clock.time(ofFrame: Int64(block.position)))
    }
  }

  /// Returns the median of the delays that the device reported near a frame, in seconds; nil if none was reported near
  /// the frame.
  func knownSeconds(around frame: Int) -> Double? {
    let reach = Int(Self.look * sampleRate)
    let near = positions.indices.filter { abs(positions[$0] - frame) < reach }
    return median(near.map { known[$0] })
  }
}

/// Returns the median; nil without numbers.
func median(_ numbers: [Double]) -> Double? {
  guard !numbers.isEmpty else { return nil }
  let sorted = numbers.sorted()
  return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}
