import Glibc

/// Measurements of recorded sound, for tests.
///
/// The functions for any frequency follow the definition of the Fourier transform. The functions for perceived loudness
/// return LUFS, for sound at 48 kHz.
///
/// - Source: ITU-R BS.1770-5 (the K weighting, the sum of the channels, the gates) and EBU Tech 3341 (the windows).
public enum AudioMeasures {
  /// Returns the root mean square of the samples; 0 if there are none.
  public static func rms(_ samples: some Collection<Float>) -> Double {
    guard !samples.isEmpty else { return 0 }
    return (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
  }

  /// Returns the largest magnitude of the samples; 0 if there are none.
  public static func peak(_ samples: some Sequence<Float>) -> Float {
    samples.reduce(0) { max($0, abs($1)) }
  }

  /// Returns whether all samples are finite.
  public static func isFinite(_ samples: some Sequence<Float>) -> Bool { samples.allSatisfy(\.isFinite) }

  /// Returns the pitch of a sound in Hz; nil if the sound is too short, or does not repeat in the range.
  ///
  /// The period is the shortest delay at which the normalised autocorrelation has a peak above 95 % of its maximum. A
  /// parabola through the peak refines the period.
  ///
  /// - Parameters:
  ///   - samples: the sound; at least twice as long as the longest period of `range`.
  ///   - sampleRate: frames per second.
  ///   - range: the range of the search, in Hz.
  public static func pitch(
    _ samples: [Float], sampleRate: Double, within range: ClosedRange<Double>
  ) -> Double? {
    let shortest = max(1, Int(sampleRate / range.upperBound))
    let longest = Int(sampleRate / range.lowerBound) + 1
    guard samples.count >= 2 * longest else { return nil }
    let window = samples.count - longest - 1
    let alike: [Double] = (shortest - 1...longest + 1).map { likeness(samples, lag: $0, window: window) }
    let inner = 1..<alike.count - 1
    guard let highest = alike[inner].max(), highest > 0.5 else { return nil }
    let peak = inner.first {
      alike[$0] > 0.95 * highest && alike[$0] >= alike[$0 - 1] && alike[$0] >= alike[$0 + 1]
    }
    guard let peak else { return nil }
    let bow = alike[peak - 1] - 2 * alike[peak] + alike[peak + 1]
    let shift = bow == 0 ? 0 : (alike[peak - 1] - alike[peak + 1]) / (2 * bow)
    return sampleRate / (Double(peak + shortest - 1) + shift)
  }

  /// Returns the normalised correlation of the sound with its delayed copy, −1 … 1.
  private static func likeness(_ samples: [Float], lag: Int, window: Int) -> Double {
    var (product, here, there) = (0.0, 0.0, 0.0)
    for index in 0..<window {
      let (a, b) = (Double(samples[index]), Double(samples[index + lag]))
      product += a * b
      here += a * a
      there += b * b
    }
    return here * there > 0 ? product / (here * there).squareRoot() : 0
  }
}

/// Measurements at any frequency, by the definition of the Fourier transform.
extension AudioMeasures {
  /// Returns the samples multiplied by a Hann window.
  public static func windowed(_ samples: ArraySlice<Float>) -> [Double] {
    samples.enumerated().map { index, sample in
      let turn = 2 * Double.pi * (Double(index) + 0.5) / Double(samples.count)
      return Double(sample) * (0.5 - 0.5 * cos(turn))
    }
  }

  /// Returns the magnitude of the samples' Fourier transform at a frequency, which is given in cycles per sample.
  public static func strength(of samples: [Double], at cycles: Double) -> Double {
    let (stepCosine, stepSine) = (cos(2 * .pi * cycles), sin(2 * .pi * cycles))
    var (c, s, re, im) = (1.0, 0.0, 0.0, 0.0)
    for sample in samples {
      re += sample * c
      im += sample * s
      (c, s) = (c * stepCosine - s * stepSine, s * stepCosine + c * stepSine)
    }
    return hypot(re, im)
  }

  /// Returns the frequency, in Hz, of the strongest component that is at most `cents` away from a guess.
  public static func strongest(
    near guess: Double, in samples: ArraySlice<Float>, sampleRate: Double, cents: Double = 40
  ) -> Double {
    let windowed = windowed(samples)
    // Golden-section search: in such a narrow range there is one maximum.
    let golden = (5.0.squareRoot() - 1) / 2
    var (low, high) = (guess * exp2(-cents / 1200), guess * exp2(cents / 1200))
    while high - low > 1e-6 * guess {
      let (left, right) = (high - golden * (high - low), low + golden * (high - low))
      if strength(of: windowed, at: left / sampleRate) > strength(of: windowed, at: right / sampleRate) {
        high = right
      } else {
        low = left
      }
    }
    return (low + high) / 2
  }

  /// Returns the level of a narrow frequency band around a time, in dB: 0 dB is a sine with the amplitude 1.
  ///
  /// The window must end within the samples; otherwise the test stops.
  ///
  /// - Parameters:
  ///   - samples: the sound.
  ///   - frequency: the middle of the band, in Hz.
  ///   - seconds: the middle of the measured window, in seconds after the first sample.
  ///   - width: the length of the window, in seconds.
  ///   - sampleRate: frames per second.
  public static func level(
    of samples: [Float], at frequency: Double, around seconds: Double, width: Double = 0.1,
    sampleRate: Double = 48_000
  ) -> Double {
    let count = Int(width * sampleRate)
    let first = max(0, Int(seconds * sampleRate) - count / 2)
    let windowed = windowed(samples[first..<first + count])
    return 20 * log10(4 * strength(of: windowed, at: frequency / sampleRate) / Double(count) + 1e-12)
  }

  /// Returns the interval from `other` up to `frequency`, in cents; negative if `frequency` is lower.
  public static func cents(_ frequency: Double, above other: Double) -> Double {
    1200 * log2(frequency / other)
  }
}

/// Loudness as perceived, in LUFS.
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

extension Double {
  /// Returns the decimal logarithm of the mean of `count` values whose sum is this number; −∞ for the sum 0.
  func logarithm(per count: Double) -> Double { log10(self / count) }
}

/// The measurement of a tone's frequency near a known frequency, from the advance of the tone's phase.
///
/// A window of at least twelve periods excludes the neighbouring harmonics, so that only the fundamental is measured.
///
/// - Source: phase-vocoder analysis, J. L. Flanagan, R. M. Golden, *Phase Vocoder* (1966).
package enum Frequency {
  /// Returns a tone's deviation from `nominal` (Hz), in cents; nil if there are too few samples after frame `start`.
  package static func cents(_ samples: [Float], from start: Int, near nominal: Double, sampleRate: Double)
    -> Double?
  {
    let period = sampleRate / nominal
    let window = Int(max(0.05 * sampleRate, 12 * period))
    // Within ±50 cents (3 %), the phase advances by less than half a turn per hop.
    let hop = Int(8 * period)
    var turns = 0.0
    let hops = max(4, Int(0.3 * sampleRate) / hop)
    guard start + window + hops * hop <= samples.count else { return nil }
    var before = phase(samples, at: start, window, nominal / sampleRate)
    for step in 1...hops {
      let now = phase(samples, at: start + step * hop, window, nominal / sampleRate)
      var ahead = now - before
      ahead -= ahead.rounded()
      turns += ahead
      before = now
    }
    let frequency = nominal + turns * sampleRate / Double(hops * hop)
    return 1200 * log2(frequency / nominal)
  }

  /// Returns the phase of a frequency in a window, in turns, relative to a cosine that starts at sample 0.
  ///
  /// - Parameter step: the frequency, in turns per sample.
  private static func phase(_ samples: [Float], at start: Int, _ window: Int, _ step: Double) -> Double {
    var (real, imaginary) = (0.0, 0.0)
    for index in 0..<window {
      let shape = 0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(window))
      let angle = 2 * Double.pi * (Double(start + index) * step).truncatingRemainder(dividingBy: 1)
      real += shape * Double(samples[start + index]) * cos(angle)
      imaginary -= shape * Double(samples[start + index]) * sin(angle)
    }
    return atan2(imaginary, real) / (2 * .pi)
  }
}
