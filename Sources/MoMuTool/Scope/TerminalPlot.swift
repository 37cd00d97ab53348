import MoRuntime

/// Draws a plot as text: the curves consist of Braille dots; each character cell is two dots wide and four dots high.
struct TerminalPlot {
  var columns: Int
  var rows: Int
  var isColoured = false
  /// Whether the terminal's font has Braille characters; the font of the Linux console has none.
  var hasBraille = true

  /// The width of the axis and its labels at the left, in character columns.
  private static let margin = 10

  /// The number of columns of each trace: two dots for each character column to the right of the margin.
  var traceColumns: Int { max(1, 2 * (columns - Self.margin)) }

  /// Returns the picture: at most `rows` lines, each with a line break.
  func picture(_ plot: Plot) -> String {
    // Each pane needs a heading and at least two rows of dots; the time needs one row.
    let most = max(1, (rows - 1) / 3)
    let panes = plot.panes.prefix(most)
    guard !panes.isEmpty else { return "" }
    let hidden = plot.panes.count - panes.count
    let room = (rows - 1 - (hidden > 0 ? 1 : 0)) / panes.count
    var lines: [String] = []
    for pane in panes { lines += text(pane, rows: max(1, room - 1)) }
    lines.append(timeLine(plot))
    if hidden > 0 { lines.append("and \(hidden) more: make the window higher") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func text(_ pane: Plot.Pane, rows: Int) -> [String] {
    let axis = pane.axis(ticks: max(1, rows / 3))
    var grid = DotGrid(columns: max(1, columns - Self.margin), rows: rows)
    let height = Double(rows * 4 - 1)
    func place(_ value: Double) -> Int { Int(((1 - axis.part(value)) * height).rounded()) }
    for (index, line) in pane.lines.enumerated() {
      line.trace.draw(row: place) { x, y in grid.set(x, y, colour: index) }
    }
    // If several ticks fall into a row, the lowest one labels it.
    var labels: [Int: String] = [:]
    for tick in axis.ticks.reversed() {
      let row = place(tick) / 4
      if labels[row] == nil { labels[row] = axis.label(tick) }
    }
    let curves = grid.text(isColoured: isColoured, hasBraille: hasBraille)
    return [heading(pane, axis)]
      + curves.enumerated().map { row, curve in
        let label = labels[row].map { String($0.prefix(Self.margin - 2)) } ?? ""
        let gap = String(repeating: " ", count: Self.margin - 2 - label.count)
        return gap + label + (labels[row] == nil ? " │" : " ┤") + curve
      }
  }

  /// Returns a heading such as `accel (g)  x 0.12  y -0.03  z 1.00`, cut at the window's edge.
  private func heading(_ pane: Plot.Pane, _ axis: Axis) -> String {
    var text = String(pane.heading.printable.prefix(columns))
    var width = text.count
    for (index, line) in pane.lines.enumerated() {
      let word = "  " + line.name.printable + (line.trace.last.map { " \(rounded($0))" } ?? "")
      width += word.count
      guard width <= columns else { break }
      text += isColoured ? DotGrid.coloured(word, index) : word
    }
    return text
  }

  private func timeLine(_ plot: Plot) -> String {
    let width = max(1, columns - Self.margin)
    let axis = Axis(of: plot.from...max(plot.to, plot.from + 1e-9), ticks: max(1, width / 12))
    var letters = [Character](repeating: " ", count: columns)
    for tick in axis.ticks {
      let text = axis.label(tick)
      let middle = Self.margin + Int(axis.part(tick) * Double(width - 1))
      let start = min(middle - text.count / 2, columns - text.count)
      // Keep a space between two numbers.
      guard start >= 1, letters[(start - 1)..<min(start + text.count + 1, columns)].allSatisfy({ $0 == " " })
      else { continue }
      for (offset, letter) in text.enumerated() { letters[start + offset] = letter }
    }
    if columns > 2 { letters.replaceSubrange(0..<1, with: ["s"]) }
    return String(letters)
  }
}
