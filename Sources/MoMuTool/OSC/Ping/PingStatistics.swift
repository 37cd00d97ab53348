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

/// A picture of round trips for the terminal.
enum PingPlot {
  /// Returns a bar of one of eight heights for a round trip in seconds.
  ///
  /// The lowest bar stands for 0.1 ms or less, the highest for more than 100 ms. Each bar stands for about three times
  /// the round trip of the bar below.
  static func bar(_ seconds: Double) -> Character {
    let bars = Array("▁▂▃▄▅▆▇█")
    let steps = [0.1, 0.3, 1, 3, 10, 30, 100].map { $0 / 1_000 }
    return bars[steps.filter { seconds > $0 }.count]
  }

  /// The character that is drawn for a ping without an answer.
  static let loss: Character = "×"

  /// Returns a histogram of round trips, which are in seconds.
  ///
  /// There is a row for each range, such as 1 to 2 ms, 2 to 5 ms and 5 to 10 ms, from the shortest to the longest round
  /// trip.
  static func histogram(_ roundTrips: [Double]) -> String {
    let edges = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1].flatMap { [$0, 2 * $0, 5 * $0] }
    let places = roundTrips.map { trip in edges.filter { trip >= $0 }.count }
    guard let first = places.min(), let last = places.max() else { return "" }
    let counts = (first...last).map { place in places.filter { $0 == place }.count }
    let most = counts.max() ?? 1
    let names = (first...last).map { place in
      place == 0
        ? "under 0.01 ms"
        : place == edges.count
          ? "over 5000 ms" : "\(plain(edges[place - 1]))–\(plain(edges[place])) ms"
    }
    let width = names.map(\.count).max() ?? 0
    return zip(names, counts).map { name, count in
      // At most forty marks, and at least one if the range is not empty.
      let marks = count == 0 ? 0 : max(1, count * 40 / most)
      let bar = String(repeating: "█", count: marks)
      return "  \(String(repeating: " ", count: width - name.count))\(name)  \(bar) \(count)\n"
    }.joined()
  }

  /// Formats a time in seconds as milliseconds without needless digits: 0.02, 1, 200.
  private static func plain(_ seconds: Double) -> String {
    let microseconds = Int((seconds * 1e6).rounded())
    guard microseconds % 1_000 != 0 else { return String(microseconds / 1_000) }
    let hundredths = microseconds % 1_000 / 10
    return hundredths % 10 == 0 ? "0.\(hundredths / 10)" : "0.0\(hundredths)"
  }
}
