import Glibc

/// The recorded output of a `Rig`.
public struct Take: Equatable {
  /// The left channel.
  public var left: [Float]
  /// The right channel.
  public var right: [Float]
  /// The lowest gain of the bus's limiter; 1 if the limiter did not reduce the sound.
  public var leastGain: Float

  /// The largest magnitude of a sample in both channels.
  public var peak: Float { max(left.reduce(0) { max($0, abs($1)) }, right.reduce(0) { max($0, abs($1)) }) }

  /// The number of the first frame that is not silent; nil if all frames are silent.
  public var onset: Int? { zip(left, right).enumerated().first { $1.0 != 0 || $1.1 != 0 }?.offset }

  /// The number of the frame after the last frame that is not silent; 0 if all frames are silent.
  public var end: Int {
    var frame = left.count
    while frame > 0, left[frame - 1] == 0, right[frame - 1] == 0 { frame -= 1 }
    return frame
  }

  /// Whether no sample is NaN or infinite.
  public var isFinite: Bool { left.allSatisfy(\.isFinite) && right.allSatisfy(\.isFinite) }

  /// Returns the mean level of both channels over a range of frames, in dBFS.
  public func level(_ frames: Range<Int>) -> Double {
    let square = frames.reduce(0.0) { $0 + Double(left[$1] * left[$1] + right[$1] * right[$1]) / 2 }
    return 10 * square.logarithm(per: Double(frames.count))
  }

  /// Returns the largest second difference of the samples in a range of frames; a click makes the result large.
  ///
  /// The second difference at a sample x[n] is x[n] − 2·x[n−1] + x[n−2].
  public func bend(_ frames: Range<Int>) -> Float {
    var most: Float = 0
    for frame in frames where frame >= 2 && frame < left.count {
      for side in [left, right] {
        most = max(most, abs(side[frame] - 2 * side[frame - 1] + side[frame - 2]))
      }
    }
    return most
  }
}
