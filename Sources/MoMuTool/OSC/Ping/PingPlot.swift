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
