import Glibc

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
