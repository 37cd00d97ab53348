import MoOSC

/// A whole tape as a plot: read twice, once for its length and once for its curves, so that it may be any length.
enum ScopeTape {
  /// - Parameter columns: how many columns the picture's curves have.
  /// - Throws: `OSCTapeError`, `ToolError`.
  static func plot(_ path: String, columns: Int) throws -> Plot {
    let tape = try openTape(path)
    var length: Int64 = 0
    while let reading = try tape.next() { length = max(length, reading.nanoseconds) }
    if let warning = tape.warning { complain(warning) }
    try tape.rewind()
    let seconds = Double(length) * 1e-9
    var plot = Plot(panes: [], from: 0, to: seconds)
    var left = 0
    while let reading = try tape.next() {
      for value in ScopeValues.of(reading.message.address, reading.message.arguments) {
        if !plot.take(value, at: Double(reading.nanoseconds) * 1e-9, columns: columns) { left += 1 }
      }
    }
    if left > 0 {
      complain("there are more curves on \(path) than can be drawn: \(counted(left, "value")) left out")
    }
    guard !plot.panes.isEmpty else { throw ToolError.nothingToDraw(path: path) }
    return plot
  }
}

extension Plot {
  private static let (mostPanes, mostLines) = (32, 16)

  /// Takes a value; false where there is no room for its curve.
  fileprivate mutating func take(_ value: ScopeValue, at seconds: Double, columns: Int) -> Bool {
    let place: Int
    if let known = panes.firstIndex(where: { $0.title == value.pane && $0.unit == value.unit }) {
      place = known
    } else {
      guard panes.count < Self.mostPanes else { return false }
      panes.append(Pane(title: value.pane, unit: value.unit, lines: []))
      place = panes.count - 1
    }
    if let known = panes[place].lines.firstIndex(where: { $0.name == value.line }) {
      panes[place].lines[known].trace.take(value.value, at: seconds)
      return true
    }
    guard panes[place].lines.count < Self.mostLines else { return false }
    var trace = Trace(from: from, to: to, columns: columns)
    trace.take(value.value, at: seconds)
    panes[place].lines.append(Line(name: value.line, trace: trace))
    return true
  }
}
