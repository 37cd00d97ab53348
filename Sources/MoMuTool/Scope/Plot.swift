/// A plot: panes one above the other, each with its own unit, and all with the same time axis.
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

    /// Returns a vertical axis that covers all curves of the pane.
    ///
    /// - Parameter ticks: the approximate number of intervals between ticks.
    func axis(ticks: Int) -> Axis {
      let ranges = lines.compactMap(\.trace.range)
      let least = ranges.map(\.lowerBound).min() ?? 0
      let most = ranges.map(\.upperBound).max() ?? 1
      return Axis(covering: least...max(least, most), ticks: ticks)
    }
  }

  var panes: [Pane]
  /// The time at the left edge, in seconds; in a live plot, the time relative to now, such as -10.
  var from: Double
  /// The time at the right edge, in seconds; in a live plot, 0, which is now.
  var to: Double
}
