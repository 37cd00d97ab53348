/// The count, the distribution and the jitter of round trips.
struct PingStatistics {
  /// The number of pings sent.
  private(set) var sent = 0
  /// Round trips in seconds, in the order of the answers.
  private(set) var roundTrips: [Double] = []

  mutating func send() { sent += 1 }
  mutating func receive(_ seconds: Double) { roundTrips.append(seconds) }

  var lost: Int { sent - roundTrips.count }

  /// The mean absolute difference between successive round trips, in seconds; 0 for fewer than two round trips.
  var jitter: Double {
    guard roundTrips.count > 1 else { return 0 }
    let changes = zip(roundTrips, roundTrips.dropFirst()).map { abs($1 - $0) }
    return changes.reduce(0, +) / Double(changes.count)
  }

  /// Returns a percentile of the round trips (nearest rank), in seconds; NaN without round trips.
  ///
  /// - Parameter percent: 0 to 100; 50 is the median.
  func percentile(_ percent: Double) -> Double {
    guard !roundTrips.isEmpty else { return .nan }
    let rank = Int((percent / 100 * Double(roundTrips.count)).rounded(.up))
    return roundTrips.sorted()[min(max(rank, 1), roundTrips.count) - 1]
  }

  /// The summary for people: counts, round trip, jitter and a histogram.
  var summary: String {
    let share = sent == 0 ? 0 : Double(lost) / Double(sent) * 100
    var text = "\(sent) sent, \(roundTrips.count) answered, \(lost) lost (\(rounded(share)) %)\n"
    guard !roundTrips.isEmpty else { return text }
    text += "round trip  least \(milliseconds(percentile(0))), median \(milliseconds(percentile(50))), "
    text += "95 % \(milliseconds(percentile(95))), most \(milliseconds(percentile(100)))\n"
    text += "jitter      \(milliseconds(jitter)) from one to the next\n"
    return text + PingPlot.histogram(roundTrips)
  }

  /// Returns the summary as JSON, with times in seconds.
  func json(_ target: String) -> String {
    func figure(_ value: Double) -> JSONValue { roundTrips.isEmpty ? .null : .number(value) }
    return JSONValue.object([
      ("target", .text(target)), ("sent", .integer(Int64(sent))),
      ("answered", .integer(Int64(roundTrips.count))),
      ("lost", .integer(Int64(lost))), ("least", figure(percentile(0))), ("median", figure(percentile(50))),
      ("p95", figure(percentile(95))), ("most", figure(percentile(100))), ("jitter", figure(jitter)),
    ]).description
  }
}
