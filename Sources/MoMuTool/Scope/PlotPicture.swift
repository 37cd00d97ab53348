import Glibc
import MoRuntime

/// Draws a plot as an SVG file, which every browser and text program shows at any size.
///
/// - Source: *Scalable Vector Graphics 1.1* (W3C, 2011).
enum PlotPicture {
  /// The colours of the curves, which colour-blind people can tell apart.
  ///
  /// - Source: M. Okabe, K. Ito, *Color Universal Design* (2002).
  private static let colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
  private static let (light, grey) = ("#E0E0E0", "#808080")
  /// The margins around the panes, in pixels.
  private static let (left, right, top, bottom) = (110, 20, 40, 44)
  /// The usual and the least height of a pane with its heading, in pixels.
  private static let (usualPane, leastPane) = (260, 80)
  /// The maximum width of a letter, in pixels.
  private static let letter = 10

  /// Returns the number of columns of each trace in a picture that is `width` pixels wide; a column is a pixel wide.
  static func columns(width: Int) -> Int { max(1, width - left - right) }

  /// Returns the text of an SVG file with a picture of the plot, and the height of the picture.
  ///
  /// - Parameters:
  ///   - width: the width of the picture, in pixels, at least 300.
  ///   - asked: the height, in pixels; nil for the usual height. The picture is higher if its panes need more space.
  static func file(_ plot: Plot, width: Int, height asked: Int?) -> (text: String, height: Int) {
    let count = max(1, plot.panes.count)
    let height = max(asked ?? 60 + usualPane * count, bottom + leastPane * count)
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="0 0 \(width) \(height)" font-family="sans-serif" font-size="15" fill="none" stroke-width="1">
      <rect width="\(width)" height="\(height)" fill="white"/>

      """
    let time = Axis(of: plot.from...max(plot.to, plot.from + 1e-9), ticks: max(2, (width - left) / 120))
    let room = (height - bottom) / count
    for (index, pane) in plot.panes.enumerated() {
      svg += drawn(pane, time, rows: (index * room + top)..<((index + 1) * room), width: width)
    }
    for tick in time.ticks {
      let x = left + Int(time.part(tick) * Double(columns(width: width) - 1))
      svg += text(time.label(tick), x: min(x, width - 3 * letter), y: height - bottom + 20, anchor: "middle")
    }
    return (svg + text("seconds", x: left, y: height - 6, colour: grey) + "</svg>\n", height)
  }

  private static func drawn(_ pane: Plot.Pane, _ time: Axis, rows: Range<Int>, width: Int) -> String {
    let axis = pane.axis(ticks: max(2, rows.count / 40))
    let count = columns(width: width)
    func row(_ value: Double) -> Int {
      rows.upperBound - 1 - Int((axis.part(value) * Double(rows.count - 1)).rounded())
    }
    var (svg, grid) = ("", "")
    for tick in time.ticks {
      grid += "M\(left + Int(time.part(tick) * Double(count - 1))),\(rows.lowerBound)v\(rows.count)"
    }
    for tick in axis.ticks {
      grid += "M\(left),\(row(tick))h\(count)"
      svg += text(axis.label(tick), x: left - 8, y: row(tick) + 5, anchor: "end")
    }
    svg += "<path stroke=\"\(light)\" d=\"\(grid)\"/>\n"
    svg +=
      "<rect x=\"\(left)\" y=\"\(rows.lowerBound)\" width=\"\(count)\" height=\"\(rows.count)\" stroke=\"\(grey)\"/>\n"
    svg += text(pane.heading, x: left, y: rows.lowerBound - 8)
    var x = left + (pane.heading.count + 2) * letter
    for (index, line) in pane.lines.enumerated() {
      let colour = colours[index % colours.count]
      svg += text(line.name, x: x, y: rows.lowerBound - 8, colour: colour)
      x += (line.name.count + 2) * letter
      svg +=
        "<path stroke=\"\(colour)\" stroke-width=\"2\" stroke-linejoin=\"round\" d=\"\(path(line.trace, row))\"/>\n"
    }
    return svg
  }

  /// Returns the SVG path of a curve, which goes through the first, least, greatest and last value of each column.
  ///
  /// - Parameter row: returns the pixel row of a value.
  private static func path(_ trace: Trace, _ row: (Double) -> Int) -> String {
    var path = ""
    for (place, column) in trace.columns.enumerated() {
      guard let column else { continue }
      path += "\(path.isEmpty ? "M" : "L")\(left + place),\(row(column.first))"
      if column.least != column.most {
        path += "V\(row(column.least))V\(row(column.most))V\(row(column.last))"
      }
    }
    return path
  }

  private static func text(
    _ words: String, x: Int, y: Int, anchor: String = "start", colour: String = "black"
  ) -> String {
    let escaped = words.printable.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    return "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" fill=\"\(colour)\">\(escaped)</text>\n"
  }

  /// Checks that the picture can be written, before a long measurement starts.
  ///
  /// - Throws: `ToolError.cannotWrite`, `noFile`.
  static func checkPlace(_ path: String) throws {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw ToolError.noFile(path: path) }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, W_OK | X_OK) == 0 else {
      throw ToolError.cannotWrite(path: path, reason: String(cString: strerror(errno)))
    }
  }

  /// Writes a text to a temporary file, and then replaces the file at `path` by this file.
  ///
  /// - Throws: `ToolError.cannotWrite`, `noFile`.
  static func save(_ text: String, as path: String) throws {
    try checkPlace(path)
    if let reason = WholeFile.replace(path, with: Array(text.utf8)) {
      throw ToolError.cannotWrite(path: path, reason: reason)
    }
  }
}
