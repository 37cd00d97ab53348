/// A cell of a terminal's row, one column wide: a grapheme and its style.
struct ScreenCell: Hashable {
  var text: Character
  var style: TextStyle
  /// The width of the grapheme in columns, 1 or 2; 0 in the cell that a wide grapheme to the left also covers.
  var width: Int

  static let blank = ScreenCell(text: " ", style: [], width: 1)

  /// Returns the cells of a line, cut to a number of columns; a wide grapheme that would be cut in two becomes a blank.
  static func row(_ line: ScreenLine, columns: Int) -> [ScreenCell] {
    var cells: [ScreenCell] = []
    for run in line.runs {
      for character in run.text {
        let width = min(2, TerminalSize.width(character))
        // A mark without a letter has no column.
        guard width > 0 else { continue }
        guard cells.count + width <= columns else {
          if cells.count < columns { cells.append(.blank) }
          return cells
        }
        cells.append(ScreenCell(text: character, style: run.style, width: width))
        if width == 2 { cells.append(ScreenCell(text: " ", style: run.style, width: 0)) }
      }
    }
    return cells
  }
}

/// The bytes that change a row of the terminal: for each run of changed cells, a cursor movement and the new cells.
enum ScreenDiff {
  /// The largest number of unchanged cells between two changed cells over which the cursor is not moved.
  ///
  /// The unchanged cells are written again instead, since a cursor movement needs about as many bytes as these cells.
  private static let gap = 4

  /// Returns the bytes that change a row of the terminal from `old` to `new`.
  ///
  /// - Parameters:
  ///   - row: the row's number, from 1.
  ///   - columns: the width of both rows.
  ///   - hasColour: false to use only bold, faint and inverse text.
  ///   - style: the terminal's style before and after the bytes, so that rows of the same style set it only once.
  static func bytes(
    from old: ScreenLine, to new: ScreenLine, row: Int, columns: Int, hasColour: Bool, style: inout TextStyle
  ) -> String {
    guard old != new else { return "" }
    var before = ScreenCell.row(old, columns: columns)
    var after = ScreenCell.row(new, columns: columns)
    while after.last == .blank { after.removeLast() }
    while before.last == .blank { before.removeLast() }
    var text = ""
    var column = 0
    while column < after.count {
      guard column >= before.count || before[column] != after[column] else {
        column += 1
        continue
      }
      var start = column
      while start > 0, after[start].width == 0 { start -= 1 }
      var (end, same) = (column, 0)
      while end < after.count, same <= gap {
        same = end < before.count && before[end] == after[end] ? same + 1 : 0
        end += 1
      }
      end -= same
      while end < after.count, after[end].width == 0 { end += 1 }
      text += move(to: row, start, isInRow: !text.isEmpty)
      for cell in after[start..<end] where cell.width > 0 {
        text += cell.style.code(after: style, hasColour: hasColour)
        style = cell.style
        text.append(cell.text)
      }
      column = end
    }
    guard before.count > after.count else { return text }
    // What is erased gets the style that is set. A change of style moves no cursor.
    let isInRow = !text.isEmpty
    text += TextStyle().code(after: style, hasColour: hasColour)
    style = []
    return text + move(to: row, after.count, isInRow: isInRow) + "\u{1B}[K"
  }

  /// Returns the bytes that move the cursor to a column, counted from 0, of a row, counted from 1.
  ///
  /// The bytes contain the column itself, not a distance from the cursor, since terminals differ in the width of some
  /// characters.
  ///
  /// - Parameter isInRow: whether the cursor is in this row already.
  private static func move(to row: Int, _ column: Int, isInRow: Bool) -> String {
    if isInRow { return "\u{1B}[\(column + 1)G" }
    return column == 0 ? "\u{1B}[\(row)H" : "\u{1B}[\(row);\(column + 1)H"
  }
}
