import MoOSC
import MoRuntime

/// A plot of a whole tape of any length; the first pass finds the length of the tape, the second pass reads the curves.
enum ScopeTape {
  /// Returns the plot of the tape at `path`.
  ///
  /// - Parameter columns: the number of columns of each curve.
  /// - Throws: `OSCTapeError`, `ToolError`.
  static func plot(_ path: String, columns: Int) throws -> Plot {
    let tape = try openTape(path)
    var length: Int64 = 0
    while let reading = try tape.next() { length = max(length, reading.nanoseconds) }
    if let warning = tape.warning { complain(warning) }
    try tape.rewind()
    let seconds = Double(length) * 1e-9
    var curves = CurvePanes<Trace>()
    var left = 0
    while let reading = try tape.next() {
      for value in ScopeValues.of(reading.message.address, reading.message.arguments) {
        let isTaken = curves.take(
          value, title: value.pane, own: Trace(from: 0, to: seconds, columns: columns)
        ) { $0.take(value.value, at: Double(reading.nanoseconds) * 1e-9) }
        if !isTaken { left += 1 }
      }
    }
    if left > 0 {
      complain("\(path) has too many curves to draw: \(counted(left, "value")) left out")
    }
    let plot = curves.plot(from: 0, to: seconds) { $0 }
    guard !plot.panes.isEmpty else { throw ToolError.nothingToDraw(path: path) }
    return plot
  }
}
