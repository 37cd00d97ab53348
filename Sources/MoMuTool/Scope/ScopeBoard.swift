/// Curves as they grow; of each so many values are kept.
struct ScopeBoard {
  private var curves = CurvePanes<RecentValues>()
  /// Values for which there was no room.
  private(set) var dropped = 0

  /// Takes a value.
  ///
  /// - Parameters:
  ///   - seconds: when; in order.
  ///   - window: how many seconds are kept.
  mutating func take(_ value: ScopeValue, of source: String, at seconds: Double, window: Double) {
    let title = source.isEmpty ? value.pane : "\(value.pane) \(source)"
    let isTaken = curves.take(value, title: title, own: RecentValues()) {
      $0.take(value.value, at: seconds, window: window)
    }
    if !isTaken { dropped += 1 }
  }

  /// The last so many seconds, called by how long ago they were.
  func plot(until now: Double, window: Double, columns: Int) -> Plot {
    curves.plot(from: -window, to: 0) { curve in
      var trace = Trace(from: now - window, to: now, columns: columns)
      for (seconds, value) in curve.recent { trace.take(value, at: seconds) }
      return trace
    }
  }
}
