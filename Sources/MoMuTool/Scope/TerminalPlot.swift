import CMoSystem
import Glibc
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

extension TerminalPlot {
  /// Returns the settings for a plot on standard output, with the given size or, if it is nil, the terminal's size.
  static func own(_ size: PictureSize?) -> TerminalPlot {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return TerminalPlot(
      columns: size?.width ?? Int(momu_terminal_columns(STDOUT_FILENO)),
      // The last row stays empty: a line break there would scroll the first row away.
      rows: size?.height ?? Int(momu_terminal_rows(STDOUT_FILENO)) - 1,
      isColoured: isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb",
      hasBraille: variable("TERM") != "linux")
  }
}

/// A grid of dots; each character cell is two dots wide and four dots high.
struct DotGrid {
  private let columns: Int
  private let rows: Int
  private var dots: [UInt8]
  /// The index of the colour of each cell, which is the colour of the dot that was set last in the cell.
  private var colours: [Int]

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (columns, rows)
    dots = [UInt8](repeating: 0, count: columns * rows)
    colours = [Int](repeating: 0, count: columns * rows)
  }

  mutating func set(_ x: Int, _ y: Int, colour: Int) {
    guard (0..<(columns * 2)).contains(x), (0..<(rows * 4)).contains(y) else { return }
    let place = y / 4 * columns + x / 2
    dots[place] |= DotGrid.bits[y % 4 * 2 + x % 2]
    colours[place] = colour
  }

  /// The bit of each dot of a cell in a Braille character, row by row (Unicode, chapter 21.1, *Braille*).
  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  /// Returns the grid as lines of text, without spaces at the ends of the lines.
  func text(isColoured: Bool, hasBraille: Bool) -> [String] {
    (0..<rows).map { row in
      var text = ""
      var width = 0
      for column in 0..<columns where dots[row * columns + column] != 0 {
        let place = row * columns + column
        text += String(repeating: " ", count: column - width)
        let letter = hasBraille ? DotGrid.braille(dots[place]) : DotGrid.plain(dots[place])
        text += isColoured ? DotGrid.coloured(letter, colours[place]) : letter
        width = column + 1
      }
      return text
    }
  }

  private static func braille(_ dots: UInt8) -> String {
    Unicode.Scalar(0x2800 + UInt32(dots)).map { String($0) } ?? " "
  }

  /// Returns the character for a cell's dots in a font without Braille.
  ///
  /// The character is `'` for dots at the top, `.` at the bottom, `|` at both, and `-` for dots only in the middle.
  private static func plain(_ dots: UInt8) -> String {
    let (high, low) = (dots & 0x09 != 0, dots & 0xC0 != 0)
    return high && low ? "|" : high ? "'" : low ? "." : "-"
  }

  static func coloured(_ text: String, _ index: Int) -> String {
    "\u{1B}[3\([4, 1, 2, 5, 3, 6][index % 6])m\(text)\u{1B}[0m"
  }
}
