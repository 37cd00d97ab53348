/// The measured time to a member and back, and the timeout that follows from it.
///
/// - Source: V. Paxson et al., *Computing TCP's Retransmission Timer*, RFC 6298 (2011), with bounds for music in place
///   of its least second.
struct RoundTrip: Sendable {
  /// Smoothed, in seconds; nil before the first measurement.
  private(set) var smoothed: Double?
  private var variation = 0.0
  /// How often in a row the timeout has run out.
  private var backOff = 0

  /// Seconds before anything was measured: past most round trips on bad Wi-Fi.
  static let first = 0.1
  /// Bounds of the timeout, in seconds.
  ///
  /// A receiver delays an acknowledgement by up to 5 ms.
  static let bounds = 0.02...1.0
  /// The clock's step in RFC 6298, in seconds.
  private static let step = 0.001

  /// Takes in one round trip, in seconds, of a message that was sent once (Karn's algorithm).
  mutating func add(_ seconds: Double) {
    guard seconds.isFinite, seconds >= 0 else { return }
    if let before = smoothed {
      variation = 0.75 * variation + 0.25 * abs(before - seconds)
      smoothed = 0.875 * before + 0.125 * seconds
    } else {
      (smoothed, variation) = (seconds, seconds / 2)
    }
  }

  /// Seconds after which a message is sent again.
  var timeout: Double {
    let measured = smoothed.map { $0 + max(Self.step, 4 * variation) } ?? Self.first
    let doubled = measured * Double(1 << min(backOff, 10))
    return max(Self.bounds.lowerBound, min(doubled, Self.bounds.upperBound))
  }

  /// The timeout has run out.
  mutating func expired() { backOff = min(backOff + 1, 10) }

  /// Something new was acknowledged.
  mutating func answered() { backOff = 0 }
}

/// How long calls to all take to their hearers, repairs included: a histogram that forgets.
struct CallDelays: Sendable {
  private var bins = [Double](repeating: 0, count: 64)
  private var total = 0.0

  /// Seconds of one bin.
  private static let width = 0.01
  /// What is left of a sample's weight after one more: half after some 350, about ten seconds among forty.
  private static let memory = 0.998
  /// The share that is to be in time.
  private static let share = 0.99
  /// Seconds before enough is known: an access point holds calls for up to 102 ms.
  static let first = 0.13
  /// Weight from which what was measured counts.
  private static let least = 20.0

  mutating func add(_ seconds: Double) {
    for index in bins.indices { bins[index] *= Self.memory }
    let bin = Int(max(0, min(seconds / Self.width, 63)))
    bins[bin] += 1
    total = total * Self.memory + 1
  }

  /// Seconds within which 99 of 100 have come.
  var bound: Double {
    guard total >= Self.least else { return Self.first }
    var sum = 0.0
    for (index, weight) in bins.enumerated() {
      sum += weight
      if sum >= Self.share * total { return Double(index + 1) * Self.width }
    }
    return Double(bins.count) * Self.width
  }
}
