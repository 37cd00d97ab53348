/// The rows at the bottom of a terminal that a program draws, and the messages that scroll above them.
///
/// A plain value: it creates the bytes, and knows the state of a terminal that has received them. Nothing is erased
/// before it is drawn again: only the changed part of a row is overwritten. A message scrolls only the rows above the
/// region (DECSTBM). So every row stays visible, even if the terminal draws after only some of the bytes.
///
/// - Source: ECMA-48 (1991); DEC STD 070 (1991), DECSTBM; synchronized output, mode 2026.
struct ScreenRegion {
  private var room = TerminalSize(columns: 1, rows: 1)
  private var lines: [ScreenLine] = []
  /// The number of empty rows above the region, which messages fill before anything scrolls.
  private var free = 0
  private var cursor: (row: Int, column: Int)?
  /// The last messages, which are shown again after the terminal's size has changed.
  private var messages: [String] = []
  /// Whether colours are used; false to use only bold, faint and inverse text.
  var hasColour = true

  private static let remembered = 60

  /// Whether anything is drawn.
  var isDrawn: Bool { !lines.isEmpty }

  /// Returns the bytes that show rows in place of the earlier rows; in a small terminal, the last rows are left out.
  ///
  /// - Parameter isKnown: false if other programs may have written to the terminal, such as after Ctrl-Z and `fg`.
  mutating func draw(_ rows: ScreenRows, in new: TerminalSize, isKnown: Bool = true) -> String {
    // One row is left for messages. The last column stays free, since a terminal starts a new row after it.
    let wanted = Array(rows.lines.prefix(max(1, new.rows - 1)))
    guard !wanted.isEmpty else { return erase() }
    var text = ""
    if !isKnown { (lines, cursor) = ([], nil) }
    if lines.isEmpty {
      text += "\u{1B}[?25l\r" + String(repeating: "\n", count: wanted.count - 1)
      lines = [ScreenLine](repeating: ScreenLine(), count: wanted.count)
      for row in 0..<wanted.count { text += "\u{1B}[\(new.rows - wanted.count + row + 1);1H\u{1B}[K" }
      (room, free) = (new, 0)
    } else if new != room {
      text += again(in: new, height: wanted.count)
    } else {
      text += resize(to: wanted.count)
    }
    let top = room.rows - wanted.count
    var style = TextStyle()
    for (index, line) in wanted.enumerated() {
      text += ScreenDiff.bytes(
        from: lines[index], to: line, row: top + index + 1, columns: room.columns - 1, hasColour: hasColour,
        style: &style)
    }
    text += TextStyle().code(after: style, hasColour: hasColour)
    lines = wanted
    let target = rows.cursor.flatMap { $0.row < wanted.count ? $0 : nil }
    let isMoved = !text.isEmpty || target?.row != cursor?.row || target?.column != cursor?.column
    let (hide, show) = (cursor != nil && target == nil, cursor == nil && target != nil)
    cursor = target
    guard isMoved else { return "" }
    return Self.atOnce(text + (hide ? "\u{1B}[?25l" : "") + home + (show ? "\u{1B}[?25h" : ""))
  }

  /// Returns the bytes that show a message above the region; call it only while the region is drawn.
  mutating func message(_ message: String) -> String {
    messages = (messages + [message]).suffix(Self.remembered)
    return Self.atOnce(put(Self.rows(of: message, columns: room.columns - 1)) + home)
  }

  /// Returns the bytes that remove the region and put the cursor at the start of the removed area.
  mutating func erase() -> String {
    guard !lines.isEmpty else { return "" }
    let top = room.rows - lines.count - free
    defer { forget() }
    return Self.atOnce("\u{1B}[\(top + 1);1H\u{1B}[J\u{1B}[?25h")
  }

  /// Forgets what is drawn, so that the next rows are drawn as the first rows.
  mutating func forget() { (lines, free, cursor, messages) = ([], 0, nil, []) }

  // MARK: parts

  /// The bytes that move the cursor to its resting position: to the text cursor of the drawn rows, or else to the start
  /// of the terminal's last row.
  private var home: String {
    guard let cursor else { return "\u{1B}[\(room.rows)H" }
    return "\u{1B}[\(room.rows - lines.count + cursor.row + 1);\(min(cursor.column, room.columns - 1) + 1)H"
  }

  private static func atOnce(_ text: String) -> String {
    text.isEmpty ? "" : "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
  }

  /// Returns the bytes that clear the terminal and show the last messages again after the terminal's size has changed.
  ///
  /// No terminal reports the new positions of its rows. Afterwards, `draw` draws all rows of the region.
  private mutating func again(in new: TerminalSize, height: Int) -> String {
    (room, free) = (new, 0)
    lines = [ScreenLine](repeating: ScreenLine(), count: height)
    // Messages are broken anew, for the new width.
    let rows = messages.flatMap { Self.rows(of: $0, columns: new.columns - 1) }
    return "\u{1B}[r\u{1B}[?25l\u{1B}[2J" + put(rows.suffix(max(0, new.rows - height))) + shown
  }

  private var shown: String { cursor == nil ? "" : "\u{1B}[?25h" }

  /// Returns the bytes that change the height of the region, whose last row stays at the bottom of the terminal.
  private mutating func resize(to height: Int) -> String {
    let more = height - lines.count
    var text = ""
    if more > 0 {
      // The rows above move up, except for those that are free.
      text += scroll(max(0, more - free), above: room.rows - lines.count)
      free = max(0, free - more)
      lines = [ScreenLine](repeating: ScreenLine(), count: more) + lines
      // The old rows stay; the rows above them may show a message.
      for row in 0..<more { text += "\u{1B}[\(room.rows - height + row + 1);1H\u{1B}[K" }
      if room.rows - height == 1, free == 0 { text += onlyRow }
    } else if more < 0 {
      for row in 0..<(-more) { text += "\u{1B}[\(room.rows - lines.count + row + 1);1H\u{1B}[K" }
      lines.removeFirst(-more)
      free -= more
    }
    return text
  }

  /// Returns the bytes that scroll the terminal's first `top` rows up by `count` rows.
  private func scroll(_ count: Int, above top: Int) -> String {
    guard count > 0, top > 1 else { return "" }
    return "\u{1B}[1;\(top)r\u{1B}[\(top);1H" + String(repeating: "\n", count: count) + "\u{1B}[r"
  }

  private mutating func put(_ rows: some Collection<String>) -> String {
    let top = room.rows - lines.count
    var (text, rest) = ("", Array(rows)[...])
    while free > 0, let row = rest.popFirst() {
      text += "\u{1B}[\(top - free + 1);1H\(row)\u{1B}[K"
      free -= 1
    }
    guard !rest.isEmpty, top > 0 else { return text }
    // Margins need two rows.
    guard top > 1 else { return text + onlyRow }
    return text + "\u{1B}[1;\(top)r\u{1B}[\(top);1H" + rest.map { "\n" + $0 }.joined() + "\u{1B}[r"
  }

  /// The bytes that show the last message in the only row above the region.
  ///
  /// A long message is cut: if it were broken into rows, only its end would be visible.
  private var onlyRow: String {
    guard let line = messages.last.flatMap({ ScreenLine.lines($0).first }) else { return "" }
    let text = line.width < room.columns ? nil : line.cut(to: room.columns - 1).text
    return
      "\u{1B}[1;1H\(text ?? Self.rows(of: messages[messages.count - 1], columns: room.columns - 1)[0])\u{1B}[K"
  }

  /// Returns a text with its long rows broken between words, for a terminal on which no region is drawn.
  static func wrapped(_ text: String, columns: Int) -> String {
    guard text.split(separator: "\n").contains(where: { TerminalSize.width(String($0)) > columns }) else {
      return text
    }
    return rows(of: text, columns: columns).joined(separator: "\n") + (text.hasSuffix("\n") ? "\n" : "")
  }

  /// Returns the rows of a message, broken between words; a row that fits keeps its colours.
  private static func rows(of message: String, columns: Int) -> [String] {
    let message = message.hasSuffix("\n") ? message.dropLast() : message[...]
    return message.split(separator: "\n", omittingEmptySubsequences: false).flatMap { row -> [String] in
      let line = ScreenLine.lines(String(row)).first ?? ScreenLine()
      guard line.width > columns else { return [String(row)] }
      // The next rows of an indented row are indented as much.
      return line.wrapped(to: columns, indent: max(2, min(row.prefix { $0 == " " }.count, columns / 3))).map(
        \.text)
    }
  }
}
