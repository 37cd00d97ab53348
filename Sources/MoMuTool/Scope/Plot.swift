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

/// The curves of a plot, grouped into panes; curves with the same title and unit share a pane.
///
/// Panes and curves are in the order of their first values. There are at most 32 panes, with at most 16 curves each.
struct CurvePanes<Curve: Sendable>: Sendable {
  private struct Pane: Sendable {
    var title: String
    var unit: String
    var lines: [(name: String, curve: Curve)] = []
  }

  private var panes: [Pane] = []

  private static var mostPanes: Int { 32 }
  private static var mostLines: Int { 16 }

  /// Calls `body` with the curve to which a value belongs; the curve's first value creates the curve.
  ///
  /// - Parameters:
  ///   - title: the title of the curve's pane.
  ///   - own: the curve to add if the value is the first of its curve.
  /// - Returns: false if the value needs a new pane or curve, and the maximum number of panes or curves is reached.
  mutating func add(
    _ value: ScopeValue, title: String, own: @autoclosure () -> Curve, _ body: (inout Curve) -> Void
  ) -> Bool {
    guard let pane = place(title, unit: value.unit) else { return false }
    if let line = panes[pane].lines.firstIndex(where: { $0.name == value.line }) {
      body(&panes[pane].lines[line].curve)
      return true
    }
    guard panes[pane].lines.count < Self.mostLines else { return false }
    var curve = own()
    body(&curve)
    panes[pane].lines.append((value.line, curve))
    return true
  }

  private mutating func place(_ title: String, unit: String) -> Int? {
    if let known = panes.firstIndex(where: { $0.title == title && $0.unit == unit }) { return known }
    guard panes.count < Self.mostPanes else { return nil }
    panes.append(Pane(title: title, unit: unit))
    return panes.count - 1
  }

  /// Returns the plot of all curves.
  ///
  /// - Parameters:
  ///   - from: the time at the left edge of the plot, in seconds.
  ///   - to: the time at the right edge, in seconds.
  ///   - trace: returns the trace of a curve.
  func plot(from: Double, to: Double, trace: (Curve) -> Trace) -> Plot {
    let drawn = panes.map { pane in
      Plot.Pane(
        title: pane.title, unit: pane.unit,
        lines: pane.lines.map { Plot.Line(name: $0.name, trace: trace($0.curve)) })
    }
    return Plot(panes: drawn, from: from, to: to)
  }
}
