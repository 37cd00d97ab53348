/// Curves as they grow: panes and lines in the order in which they were first heard of.
///
/// What it keeps is bounded, whatever comes: so many curves, and of each so many values.
struct ScopeBoard {
  private var panes: [Pane] = []
  /// Values for which there was no room.
  private(set) var dropped = 0

  private struct Pane {
    var title: String
    var unit: String
    var lines: [Line]
  }

  fileprivate struct Line {
    var name: String
    var times: [Double] = []
    var values: [Double] = []
    /// Where the window begins in them: what is before it is thrown away now and then.
    var begin = 0
  }

  private static let (mostPanes, mostLines, mostValues) = (32, 16, 200_000)

  /// Takes a value.
  ///
  /// - Parameters:
  ///   - seconds: when; in order.
  ///   - window: how many seconds are kept.
  mutating func take(_ value: ScopeValue, of source: String, at seconds: Double, window: Double) {
    let title = source.isEmpty ? value.pane : "\(value.pane) \(source)"
    guard let (pane, line) = place(title, value) else {
      dropped += 1
      return
    }
    panes[pane].lines[line].take(value.value, at: seconds, window: window, most: Self.mostValues)
  }

  private mutating func place(_ title: String, _ value: ScopeValue) -> (pane: Int, line: Int)? {
    let pane: Int
    if let known = panes.firstIndex(where: { $0.title == title && $0.unit == value.unit }) {
      pane = known
    } else {
      guard panes.count < Self.mostPanes else { return nil }
      panes.append(Pane(title: title, unit: value.unit, lines: []))
      pane = panes.count - 1
    }
    if let known = panes[pane].lines.firstIndex(where: { $0.name == value.line }) { return (pane, known) }
    guard panes[pane].lines.count < Self.mostLines else { return nil }
    panes[pane].lines.append(Line(name: value.line))
    return (pane, panes[pane].lines.count - 1)
  }

  /// The last so many seconds, called by how long ago they were.
  func plot(until now: Double, window: Double, columns: Int) -> Plot {
    let panes = panes.map { pane in
      Plot.Pane(
        title: pane.title, unit: pane.unit,
        lines: pane.lines.map { line in
          var trace = Trace(from: now - window, to: now, columns: columns)
          for index in line.begin..<line.times.count { trace.take(line.values[index], at: line.times[index]) }
          return Plot.Line(name: line.name, trace: trace)
        })
    }
    return Plot(panes: panes, from: -window, to: 0)
  }
}

extension ScopeBoard.Line {
  fileprivate mutating func take(_ value: Double, at seconds: Double, window: Double, most: Int) {
    times.append(seconds)
    values.append(value)
    while begin < times.count, times[begin] < seconds - window || times.count - begin > most { begin += 1 }
    // One before the window, so that its curve begins at the side.
    guard begin > 4096, begin > times.count / 2 else { return }
    times.removeFirst(begin)
    values.removeFirst(begin)
    begin = 0
  }
}
