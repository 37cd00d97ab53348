/// The live curves of `momu scope`; each curve stores the values of the visible time window.
struct ScopeBoard {
  private var curves = CurvePanes<RecentValues>()
  /// The number of values dropped because there were too many curves.
  private(set) var dropped = 0

  /// Appends a value to its curve.
  ///
  /// - Parameters:
  ///   - source: the text after the pane's title that distinguishes sensors of the same kind, such as `iio:0`; empty
  ///     for a single sensor.
  ///   - seconds: the time of the value, not before the time of the curve's previous value.
  ///   - window: the length of the time window, in seconds.
  mutating func take(_ value: ScopeValue, of source: String, at seconds: Double, window: Double) {
    let title = source.isEmpty ? value.pane : "\(value.pane) \(source)"
    let isTaken = curves.take(value, title: title, own: RecentValues()) {
      $0.take(value.value, at: seconds, window: window)
    }
    if !isTaken { dropped += 1 }
  }

  /// Returns the plot of the time window; its time axis ends at 0, which is now.
  func plot(until now: Double, window: Double, columns: Int) -> Plot {
    curves.plot(from: -window, to: 0) { curve in
      var trace = Trace(from: now - window, to: now, columns: columns)
      for (seconds, value) in curve.recent { trace.take(value, at: seconds) }
      return trace
    }
  }
}
