/// How long calls to all take to those who hear them, repairs included: a histogram that forgets.
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
