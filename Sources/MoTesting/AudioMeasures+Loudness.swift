import Glibc

/// Loudness as people hear it.
///
/// - Source: ITU-R BS.1770-5 (the K weighting, the sum of the channels, the gates) and EBU Tech 3341 (the windows).
extension AudioMeasures {
  /// The greatest momentary loudness of a sound at 48 kHz, in LUFS: over windows of 400 ms, 100 a second, without gates.
  ///
  /// It suits a stroke that is over in half a second as well as a note that is held: an integrated loudness would say of
  /// a stroke mostly how long it was listened to. Silence stands before and after the sound. −∞ where it is silent.
  public static func greatestMomentary(_ left: [Float], _ right: [Float]) -> Double {
    loudness(blockPowers(left, right, step: 480).max() ?? 0)
  }

  /// The integrated loudness of a sound at 48 kHz, in LUFS, with both gates; −∞ where all of it lies below them.
  public static func integrated(_ left: [Float], _ right: [Float]) -> Double {
    // Blocks of 400 ms that overlap by three quarters; none reaches beyond the ends.
    let whole = blockPowers(left, right, step: 4800).dropFirst(3).dropLast(3)
    let heard = whole.filter { loudness($0) > -70 }
    guard !heard.isEmpty else { return -.infinity }
    let threshold = loudness(heard.reduce(0, +) / Double(heard.count)) - 10
    let loud = heard.filter { loudness($0) > threshold }
    return loudness(loud.reduce(0, +) / Double(loud.count))
  }

  private static func loudness(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

  /// The mean squares of both channels together, K-weighted, over 400 ms that end at each multiple of `step` frames.
  private static func blockPowers(_ left: [Float], _ right: [Float], step: Int) -> [Double] {
    let (block, count) = (19_200, left.count)
    // What sounds until frame n, added up.
    var sums = [0.0]
    sums.reserveCapacity(count + 1)
    for (a, b) in zip(weighted(left), weighted(right)) { sums.append((sums.last ?? 0) + a * a + b * b) }
    return stride(from: step, through: count + block - step, by: step).map { end in
      max(0, sums[min(end, count)] - sums[max(0, min(end - block, count))]) / Double(block)
    }
  }

  /// A channel at 48 kHz through the two filters of BS.1770: the head's shelf and the low cut.
  private static func weighted(_ samples: [Float]) -> [Double] {
    let shelf = section(
      samples.map { Double($0) }, [1.53512485958697, -2.69169618940638, 1.19839281085285],
      [-1.69065929318241, 0.73248077421585])
    return section(shelf, [1, -2, 1], [-1.99004745483398, 0.99007225036621])
  }

  private static func section(_ samples: [Double], _ b: [Double], _ a: [Double]) -> [Double] {
    var (first, second) = (0.0, 0.0)
    return samples.map { sample in
      let output = b[0] * sample + first
      first = b[1] * sample - a[0] * output + second
      second = b[2] * sample - a[1] * output
      return output
    }
  }
}
