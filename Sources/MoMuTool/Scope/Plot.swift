/// A plot: panes one above the other, with one unit each and the same time axis.
struct Plot: Equatable {
  struct Line: Equatable {
    var name: String
    var trace: Trace
  }

  struct Pane: Equatable {
    var title: String
    /// The unit of the values; empty for plain numbers.
    var unit: String
    var lines: [Line]

    /// The title and the unit: `accel (g)`.
    var heading: String { unit.isEmpty ? title : "\(title) (\(unit))" }

    /// Returns the vertical axis.
    func axis(ticks: Int) -> Axis {
      let ranges = lines.compactMap(\.trace.range)
      let least = ranges.map(\.lowerBound).min() ?? 0
      let most = ranges.map(\.upperBound).max() ?? 1
      return Axis(covering: least...max(least, most), ticks: ticks)
    }
  }

  var panes: [Pane]
  /// The label of the time at the left side, in seconds.
  var from: Double
  /// The label of the time at the right side, in seconds.
  var to: Double
}
