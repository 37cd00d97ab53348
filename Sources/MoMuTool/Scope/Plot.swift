/// What is drawn: one above the other, panes of one unit each, all of the same time.
struct Plot: Equatable {
  struct Line: Equatable {
    var name: String
    var trace: Trace
  }

  struct Pane: Equatable {
    var title: String
    /// What its numbers are; empty for plain numbers.
    var unit: String
    var lines: [Line]

    /// Title and unit: `accel (g)`.
    var heading: String { unit.isEmpty ? title : "\(title) (\(unit))" }

    /// The numbers along its side.
    func axis(ticks: Int) -> Axis {
      let ranges = lines.compactMap(\.trace.range)
      let least = ranges.map(\.lowerBound).min() ?? 0
      let most = ranges.map(\.upperBound).max() ?? 1
      return Axis(covering: least...max(least, most), ticks: ticks)
    }
  }

  var panes: [Pane]
  /// What the time at both sides is called, in seconds.
  var from: Double
  var to: Double
}
