import Glibc

/// The first pulse in an envelope that is neither noise nor a skirt of a later one.
///
/// The first, not the loudest: a wall may throw back more than comes straight, but nothing comes before what comes
/// straight.
struct FirstArrival: Equatable {
  /// The pulse's delay in frames, with its fraction.
  let delay: Double

  /// A first arrival is at most 12 dB weaker than the loudest.
  private static let leastShare: Float = 0.25
  /// So many times the envelope's median is no noise: Gaussian noise comes so high once in 10⁴ clicks.
  private static let leastStrength: Float = 5

  /// - Parameter envelope: of a matched filter, by delay; mostly noise.
  /// - Returns: nil where there is no pulse.
  init?(in envelope: [Float]) {
    guard envelope.count > 2, let most = envelope.max(), most > 0 else { return nil }
    let median = envelope.sorted()[envelope.count / 2]
    let limit = max(Self.leastShare * most, Self.leastStrength * median)
    let peak = (1..<envelope.count - 1).first {
      envelope[$0] >= limit && envelope[$0] >= envelope[$0 - 1] && envelope[$0] > envelope[$0 + 1]
    }
    guard let peak else { return nil }
    // Near its top the pulse is Gaussian, whose logarithm is a parabola.
    let (before, top, after) = (log(envelope[peak - 1]), log(envelope[peak]), log(envelope[peak + 1]))
    let bow = before - 2 * top + after
    let shift = bow.isFinite && bow < 0 ? (before - after) / (2 * bow) : 0
    delay = Double(peak) + Double(max(-0.5, min(0.5, shift)))
  }
}
