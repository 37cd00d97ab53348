import Glibc
import MoRuntime

/// Draws a plot as a PNG file.
enum PlotPicture {
  /// White, black, light grey and grey, then the colours of the curves, which colour-blind people can tell apart.
  ///
  /// - Source: M. Okabe, K. Ito, *Color Universal Design* (2002).
  private static let palette: [UInt32] = [
    0xFFFFFF, 0x000000, 0xE0E0E0, 0x808080, 0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9,
  ]
  private static let (black, light, grey, firstLine): (UInt8, UInt8, UInt8, UInt8) = (1, 2, 3, 4)
  /// The margins around the panes, in pixels.
  private static let (left, right, top, bottom) = (110, 20, 40, 44)

  /// Returns the number of trace columns in a picture of the given width.
  static func columns(width: Int) -> Int { max(1, width - left - right) }

  /// - Returns: the bytes of the file.
  static func file(_ plot: Plot, width: Int, height: Int) -> [UInt8] {
    var canvas = Canvas(width: width, height: height)
    let time = Axis(of: plot.from...max(plot.to, plot.from + 1e-9), ticks: max(2, (width - left) / 120))
    let room = (height - bottom) / max(1, plot.panes.count)
    for (index, pane) in plot.panes.enumerated() {
      draw(pane, time, rows: (index * room + top)..<((index + 1) * room), &canvas)
    }
    for tick in time.ticks {
      let text = time.label(tick)
      let x = left + Int(time.part(tick) * Double(columns(width: width) - 1)) - Canvas.width(of: text) / 2
      canvas.write(text, x: min(x, width - Canvas.width(of: text) - 2), y: height - bottom + 8, black)
    }
    canvas.write("seconds", x: left, y: height - Canvas.letter - 4, grey)
    return PNGImage.file(width: width, height: height, pixels: canvas.pixels, palette: palette)
  }

  private static func draw(_ pane: Plot.Pane, _ time: Axis, rows: Range<Int>, _ canvas: inout Canvas) {
    guard rows.count > 4 else { return }
    let axis = pane.axis(ticks: max(2, rows.count / 40))
    let sides = left..<(left + columns(width: canvas.width))
    func row(_ value: Double) -> Int {
      rows.upperBound - 1 - Int((axis.part(value) * Double(rows.count - 1)).rounded())
    }
    for tick in time.ticks {
      let x = left + Int(time.part(tick) * Double(sides.count - 1))
      canvas.fill(x..<(x + 1), rows, light)
    }
    for tick in axis.ticks {
      let text = axis.label(tick)
      canvas.fill(sides, row(tick)..<(row(tick) + 1), light)
      canvas.write(text, x: left - 8 - Canvas.width(of: text), y: row(tick) - Canvas.letter / 2, black)
    }
    canvas.fill(sides, rows.lowerBound..<(rows.lowerBound + 1), grey)
    canvas.fill(sides, (rows.upperBound - 1)..<rows.upperBound, grey)
    canvas.fill(sides.lowerBound..<(sides.lowerBound + 1), rows, grey)
    canvas.fill((sides.upperBound - 1)..<sides.upperBound, rows, grey)
    let heading = rows.lowerBound - Canvas.letter - 6
    canvas.write(pane.heading, x: left, y: heading, black)
    var x = left + Canvas.width(of: pane.heading) + 3 * Canvas.advance
    for (index, line) in pane.lines.enumerated() {
      let colour = firstLine + UInt8(index % (palette.count - Int(firstLine)))
      canvas.write(line.name, x: x, y: heading, colour)
      x += Canvas.width(of: line.name) + 2 * Canvas.advance
      line.trace.draw(row: row) { column, row in
        // Lines are two pixels wide, since a thinner line is hard to see on a fine screen.
        for (right, down) in [(0, 0), (1, 0), (0, 1)] {
          canvas.set(
            min(left + column + right, sides.upperBound - 1), min(row + down, rows.upperBound - 1), colour)
        }
      }
    }
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

  /// Writes a temporary file and then replaces the target with it.
  ///
  /// - Throws: `ToolError.cannotWrite`, `noFile`.
  static func save(_ bytes: [UInt8], as path: String) throws {
    try checkPlace(path)
    if let reason = WholeFile.replace(path, with: bytes) {
      throw ToolError.cannotWrite(path: path, reason: reason)
    }
  }
}
