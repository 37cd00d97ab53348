import Glibc

/// Loudness as perceived, in LUFS.
///
/// - Source: ITU-R BS.1770-5 (the K weighting, the sum of the channels, the gates) and EBU Tech 3341 (the windows).
extension AudioMeasures {
  /// Returns the maximum momentary loudness of a sound at 48 kHz, in LUFS; −∞ for silence.
  ///
  /// The function measures a window of 400 ms every 10 ms, with silence before and after the sound. It does not leave
  /// out soft parts, unlike the gates of the standard. So this measure suits a strike of half a second as well as a
  /// held note. The integrated loudness of a strike would depend mostly on the length of the recording.
  public static func greatestMomentary(_ left: [Float], _ right: [Float]) -> Double {
    loudness(blockPowers(left, right, step: 480).max() ?? 0)
  }

  /// Returns the integrated loudness of a sound at 48 kHz, in LUFS, with both gates of ITU-R BS.1770.
  ///
  /// The gates leave out the soft parts of the sound. The result is −∞ if the whole sound is below the gates.
  public static func integrated(_ left: [Float], _ right: [Float]) -> Double {
    // Blocks of 400 ms that overlap by three quarters, without those that reach beyond the ends.
    let whole = blockPowers(left, right, step: 4800).dropFirst(3).dropLast(3)
    let heard = whole.filter { loudness($0) > -70 }
    guard !heard.isEmpty else { return -.infinity }
    let threshold = loudness(heard.reduce(0, +) / Double(heard.count)) - 10
    let loud = heard.filter { loudness($0) > threshold }
    return loudness(loud.reduce(0, +) / Double(loud.count))
  }

  private static func loudness(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

  /// Returns the K-weighted mean squares, summed over both channels, of windows of 400 ms that end every `step` frames.
  private static func blockPowers(_ left: [Float], _ right: [Float], step: Int) -> [Double] {
    let (block, count) = (19_200, left.count)
    // The cumulative energy up to each frame.
    var sums = [0.0]
    sums.reserveCapacity(count + 1)
    for (a, b) in zip(weighted(left), weighted(right)) { sums.append((sums.last ?? 0) + a * a + b * b) }
    return stride(from: step, through: count + block - step, by: step).map { end in
      max(0, sums[min(end, count)] - sums[max(0, min(end - block, count))]) / Double(block)
    }
  }

  /// Returns a channel at 48 kHz after the filters of BS.1770: a high shelf for the effect of the head, and a low cut.
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
