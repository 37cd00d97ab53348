import MoRuntime

/// A plot of letters: curves of Braille's dots, two wide and four high in each place.
struct TerminalPlot {
  var columns: Int
  var rows: Int
  var isColoured = false
  /// Whether the font has Braille; that of the console does not.
  var hasBraille = true

  /// The room at the left for numbers, and the line beside them.
  private static let margin = 10

  /// How many columns of a trace there are.
  var traceColumns: Int { max(1, 2 * (columns - Self.margin)) }

  /// The picture; at most as many lines as there are rows, each with an end.
  func picture(_ plot: Plot) -> String {
    // A heading and two rows of dots at least for each; one row for the time.
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
    // Several ticks may fall into one row of letters: the first has it.
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

  /// `accel (g)  x 0.12  y -0.03  z 1.00`, cut where the window ends.
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
      // One letter of room between two numbers.
      guard start >= 1, letters[(start - 1)..<min(start + text.count + 1, columns)].allSatisfy({ $0 == " " })
      else { continue }
      for (offset, letter) in text.enumerated() { letters[start + offset] = letter }
    }
    if columns > 2 { letters.replaceSubrange(0..<1, with: ["s"]) }
    return String(letters)
  }
}
