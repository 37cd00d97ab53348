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
