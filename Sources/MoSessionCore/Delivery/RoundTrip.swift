/// The measured round-trip time to a member, and the retransmission timeout.
///
/// - Source: V. Paxson et al., *Computing TCP's Retransmission Timer*, RFC 6298 (2011), with bounds for music instead
///   of its minimum of one second.
package struct RoundTrip: Sendable {
  /// The smoothed round-trip time in seconds; nil before the first measurement.
  private(set) var smoothed: Double?
  private var variation = 0.0
  /// The number of timeouts since the last acknowledgement; each of them doubles the next timeout.
  private var backOff = 0

  package init() {}

  /// The timeout before the first measurement, in seconds: longer than most round trips on bad Wi-Fi.
  static let first = 0.1
  /// The bounds of the timeout, in seconds.
  ///
  /// The lower bound is well above the 5 ms by which a receiver may delay an acknowledgement.
  static let bounds = 0.02...1.0
  /// The clock granularity of RFC 6298, in seconds.
  private static let step = 0.001

  /// Adds a round trip, in seconds, of a message that was sent once (Karn's algorithm).
  package mutating func add(_ seconds: Double) {
    guard seconds.isFinite, seconds >= 0 else { return }
    if let before = smoothed {
      variation = 0.75 * variation + 0.25 * abs(before - seconds)
      smoothed = 0.875 * before + 0.125 * seconds
    } else {
      (smoothed, variation) = (seconds, seconds / 2)
    }
  }

  /// Seconds after which a message is retransmitted.
  package var timeout: Double {
    let measured = smoothed.map { $0 + max(Self.step, 4 * variation) } ?? Self.first
    let doubled = measured * Double(1 << min(backOff, 10))
    return max(Self.bounds.lowerBound, min(doubled, Self.bounds.upperBound))
  }

  /// Doubles the next timeout, because the timeout has expired.
  package mutating func expired() { backOff = min(backOff + 1, 10) }

  /// Ends the series of timeouts, because the member has acknowledged another message.
  package mutating func answered() { backOff = 0 }
}

/// The delays of multicasts to their receivers, retransmissions included: a histogram in which old samples lose weight.
package struct MulticastDelays: Sendable {
  private var bins = [Double](repeating: 0, count: 64)
  private var total = 0.0

  /// The width of a bin, in seconds.
  private static let width = 0.01
  /// The factor by which each new sample reduces the weights of all earlier samples.
  ///
  /// A weight is halved by some 350 later samples, which take about ten seconds among forty members.
  private static let memory = 0.998
  /// The share of multicasts that arrive within `bound`.
  private static let share = 0.99
  /// The value of `bound`, in seconds, before enough delays are measured: an access point holds multicasts for up to
  /// 102 ms.
  static let first = 0.13
  /// The least total weight of the samples for a computed `bound`; with less weight, `bound` is `first`.
  private static let least = 20.0

  mutating func add(_ seconds: Double) {
    for index in bins.indices { bins[index] *= Self.memory }
    let bin = Int(max(0, min(seconds / Self.width, 63)))
    bins[bin] += 1
    total = total * Self.memory + 1
  }

  /// Seconds within which 99 of 100 multicasts have arrived.
  package var bound: Double {
    guard total >= Self.least else { return Self.first }
    var sum = 0.0
    for (index, weight) in bins.enumerated() {
      sum += weight
      if sum >= Self.share * total { return Double(index + 1) * Self.width }
    }
    return Double(bins.count) * Self.width
  }
}
