/// A row of a screen: text in styles.
///
/// All text passes through `printable` here, so that no text from outside can control the terminal.
package struct ScreenLine: Hashable, Sendable {
  /// Text in one style.
  struct Run: Hashable, Sendable {
    var text: String
    var style: TextStyle
  }

  private(set) var runs: [Run] = []

  package init() {}

  package init(_ text: String, _ style: TextStyle = []) { append(text.printable, style) }

  /// Returns the lines of a text, split at line feeds; `ESC [ … m` sets the style, and other control characters are
  /// escaped.
  package static func lines(_ text: String) -> [ScreenLine] {
    let text = text.hasSuffix("\n") ? text.dropLast() : text[...]
    return text.isEmpty ? [] : text.split(separator: "\n", omittingEmptySubsequences: false).map { line($0) }
  }

  private static func line(_ text: Substring) -> ScreenLine {
    guard text.contains("\u{1B}") else { return ScreenLine(String(text)) }
    var (line, style, rest) = (ScreenLine(), TextStyle(), String(text).printableLines[...])
    while let escape = rest.firstIndex(of: "\u{1B}") {
      line.append(String(rest[..<escape]), style)
      let code = rest[escape...].dropFirst(2)
      guard let end = code.firstIndex(of: "m") else { break }
      style = TextStyle(code[..<end].split(separator: ";").compactMap { Int($0) }, after: style)
      rest = rest[rest.index(after: end)...]
    }
    line.append(String(rest), style)
    return line
  }

  /// Appends text in a style; the text must already be printable.
  private mutating func append(_ text: String, _ style: TextStyle) {
    guard !text.isEmpty else { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += text
    } else {
      runs.append(Run(text: text, style: style))
    }
  }

  package static func + (left: ScreenLine, right: ScreenLine) -> ScreenLine {
    var sum = left
    for run in right.runs { sum.append(run.text, run.style) }
    return sum
  }

  package static func += (left: inout ScreenLine, right: ScreenLine) { left = left + right }

  /// The text without its styles.
  package var text: String { runs.map(\.text).joined() }

  /// The width in columns.
  package var width: Int { runs.reduce(0) { $0 + TerminalSize.width($1.text) } }

  /// Returns the line, padded with spaces to a width in columns.
  package func padded(to width: Int) -> ScreenLine {
    self + ScreenLine(String(repeating: " ", count: max(0, width - self.width)))
  }

  /// Returns the line, cut after a word to a number of columns and ended by "…"; the line itself if it fits.
  package func cut(to columns: Int) -> ScreenLine {
    guard width > columns else { return self }
    let cells = ScreenCell.row(self, columns: max(0, columns - 1))
    // A word that fills most of the row is cut anyway: without it, the row would be almost empty.
    let space = cells.lastIndex { $0.text == " " }
    var end = cells.count
    if let space, space >= cells.count / 3, next(after: cells.count) != " " { end = space }
    while end > 0, cells[end - 1].text == " " { end -= 1 }
    var line = ScreenLine()
    for cell in cells[..<end] where cell.width > 0 { line.append(String(cell.text), cell.style) }
    line.append(columns > 0 ? "…" : "", cells[..<end].last?.style ?? [])
    return line
  }

  private func next(after column: Int) -> Character? {
    ScreenCell.row(self, columns: column + 2).dropFirst(column).first?.text
  }

  /// Returns the line in rows, broken between words; a word is broken only if it is wider than a row.
  ///
  /// - Parameter indent: the columns by which all rows but the first are indented.
  package func wrapped(to columns: Int, indent: Int = 0) -> [ScreenLine] {
    guard columns > indent, width > columns else { return [self] }
    var rest = ScreenCell.row(self, columns: width)
    var rows: [ScreenLine] = []
    while !rest.isEmpty {
      let margin = rows.isEmpty ? 0 : indent
      let room = columns - margin
      var end = min(room, rest.count)
      if end < rest.count {
        let lead = rest.prefix { $0.text == " " }.count
        if let space = rest[...end].lastIndex(where: { $0.text == " " && $0.width == 1 }), space > lead {
          end = space
        } else if rest[end].width == 0 {
          end -= 1
        }
        end = max(1, end)
      }
      var row = ScreenLine(String(repeating: " ", count: margin))
      for cell in rest[..<end] where cell.width > 0 { row.append(String(cell.text), cell.style) }
      rows.append(row)
      rest.removeFirst(end)
      while rest.first?.text == " ", rest.first?.width == 1 { rest.removeFirst() }
    }
    return rows
  }
}

/// The look of text in a terminal; weight and colour help the reader and never carry a meaning alone.
package struct TextStyle: OptionSet, Hashable, Sendable {
  package private(set) var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let bold = TextStyle(rawValue: 1)
  package static let faint = TextStyle(rawValue: 2)
  package static let inverse = TextStyle(rawValue: 4)
  package static let red = TextStyle(rawValue: 8)
  package static let green = TextStyle(rawValue: 16)
  package static let yellow = TextStyle(rawValue: 32)
  package static let cyan = TextStyle(rawValue: 64)

  private static let numbers: [(TextStyle, number: Int, isColour: Bool)] = [
    (.bold, 1, false), (.faint, 2, false), (.inverse, 7, false), (.red, 31, true), (.green, 32, true),
    (.yellow, 33, true), (.cyan, 36, true),
  ]

  /// Creates the style that a control sequence such as `ESC [ 1;31 m` sets.
  ///
  /// - Parameters:
  ///   - numbers: the numbers in the sequence, such as 1 for bold; an empty list counts as 0, which resets the style.
  ///     Unknown numbers change nothing.
  ///   - before: the style before the sequence.
  init(_ numbers: [Int], after before: TextStyle) {
    self = before
    for number in numbers.isEmpty ? [0] : numbers {
      switch number {
      case 0: self = []
      case 22: subtract([.bold, .faint])
      case 27: remove(.inverse)
      case 39: subtract([.red, .green, .yellow, .cyan])
      default: if let known = Self.numbers.first(where: { $0.number == number }) { insert(known.0) }
      }
    }
  }

  /// Returns the control sequence that changes the terminal's style from `old` to this style; empty if both look the
  /// same.
  ///
  /// - Source: ECMA-48 (1991), 8.3.117, Select Graphic Rendition.
  func code(after old: TextStyle, hasColour: Bool) -> String {
    let isShown = { (number: (TextStyle, number: Int, isColour: Bool)) in hasColour || !number.isColour }
    let numbers = { (style: TextStyle) in
      Self.numbers.filter { style.contains($0.0) && isShown($0) }.map { "\($0.number)" }
    }
    // What is added needs no reset.
    let isMore = numbers(old.subtracting(self)).isEmpty
    let parts = isMore ? numbers(subtracting(old)) : ["0"] + numbers(self)
    return parts.isEmpty ? "" : "\u{1B}[" + parts.joined(separator: ";") + "m"
  }
}
