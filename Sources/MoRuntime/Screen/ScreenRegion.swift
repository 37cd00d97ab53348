/// The rows at the bottom of a terminal that a program draws, and the messages that scroll above them.
///
/// A plain value: it makes the bytes, and knows what a terminal shows that has taken them. Nothing is erased to be drawn
/// again: a row that has changed is written over where it has changed, and a message scrolls the rows above the region
/// alone (DECSTBM), so each state between two bytes shows every row.
///
/// - Source: ECMA-48 (1991); DEC STD 070 (1991), DECSTBM; synchronized output, mode 2026.
struct ScreenRegion {
  private var room = TerminalSize(columns: 1, rows: 1)
  private var lines: [ScreenLine] = []
  /// Empty rows above the region that a message takes before anything scrolls.
  private var free = 0
  private var cursor: (row: Int, column: Int)?
  /// The last messages, to be shown again after the terminal's size has changed.
  private var messages: [String] = []
  /// False for weight alone.
  var hasColour = true

  private static let remembered = 60

  /// Whether anything is drawn.
  var isDrawn: Bool { !lines.isEmpty }

  /// The bytes that show rows in place of those before; of too many rows the last are left out.
  ///
  /// - Parameter isKnown: false if the terminal may show something else than it was given.
  mutating func draw(_ rows: ScreenRows, in new: TerminalSize, isKnown: Bool = true) -> String {
    // A row is left to messages, and the last column is left free: behind it a terminal begins a new row.
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
    for (index, line) in wanted.enumerated() {
      text += ScreenDiff.bytes(
        from: lines[index], to: line, row: top + index + 1, columns: room.columns - 1, hasColour: hasColour)
    }
    lines = wanted
    let target = rows.cursor.flatMap { $0.row < wanted.count ? $0 : nil }
    let isMoved = !text.isEmpty || target?.row != cursor?.row || target?.column != cursor?.column
    let (hide, show) = (cursor != nil && target == nil, cursor == nil && target != nil)
    cursor = target
    guard isMoved else { return "" }
    return Self.atOnce(text + (hide ? "\u{1B}[?25l" : "") + home + (show ? "\u{1B}[?25h" : ""))
  }

  /// The bytes that show a message above the region; nothing may be said where nothing is drawn.
  mutating func say(_ message: String) -> String {
    let new = Self.rows(of: message, columns: room.columns - 1)
    messages = (messages + new).suffix(Self.remembered)
    return Self.atOnce(put(new) + home)
  }

  /// The bytes that take the region away, and leave the cursor where it was begun.
  mutating func erase() -> String {
    guard !lines.isEmpty else { return "" }
    let top = room.rows - lines.count - free
    defer { (lines, free, cursor, messages) = ([], 0, nil, []) }
    return Self.atOnce("\u{1B}[\(top + 1);1H\u{1B}[J\u{1B}[?25h")
  }

  // MARK: parts

  /// Where the cursor rests: in the row that is typed, else behind the last row.
  private var home: String {
    guard let cursor else { return "\u{1B}[\(room.rows);1H" }
    return "\u{1B}[\(room.rows - lines.count + cursor.row + 1);\(min(cursor.column, room.columns - 1) + 1)H"
  }

  private static func atOnce(_ text: String) -> String {
    text.isEmpty ? "" : "\u{1B}[?2026h" + text + "\u{1B}[?2026l"
  }

  /// Draws all anew after the terminal's size has changed: no terminal says where its rows are then.
  private mutating func again(in new: TerminalSize, height: Int) -> String {
    (room, free) = (new, 0)
    lines = [ScreenLine](repeating: ScreenLine(), count: height)
    return "\u{1B}[r\u{1B}[?25l\u{1B}[2J" + put(messages.suffix(max(0, new.rows - height))) + shown
  }

  private var shown: String { cursor == nil ? "" : "\u{1B}[?25h" }

  /// Makes the region higher or lower; it stands at the bottom.
  private mutating func resize(to height: Int) -> String {
    let more = height - lines.count
    var text = ""
    if more > 0 {
      // The rows above move up by as many as are not free.
      text += scroll(max(0, more - free), above: room.rows - lines.count)
      free = max(0, free - more)
      lines = [ScreenLine](repeating: ScreenLine(), count: more) + lines
      // The old rows are where they were; those above them may show a message.
      for row in 0..<more { text += "\u{1B}[\(room.rows - height + row + 1);1H\u{1B}[K" }
    } else if more < 0 {
      for row in 0..<(-more) { text += "\u{1B}[\(room.rows - lines.count + row + 1);1H\u{1B}[K" }
      lines.removeFirst(-more)
      free -= more
    }
    return text
  }

  /// Moves what stands above the region up.
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
    // Margins need two rows; in one row the last message is shown.
    guard top > 1 else { return text + "\u{1B}[1;1H\(rest.last ?? "")\u{1B}[K" }
    return text + "\u{1B}[1;\(top)r\u{1B}[\(top);1H" + rest.map { "\n" + $0 }.joined() + "\u{1B}[r"
  }

  /// The rows of a message, broken between words; a row that fits keeps its colours.
  private static func rows(of message: String, columns: Int) -> [String] {
    let message = message.hasSuffix("\n") ? message.dropLast() : message[...]
    return message.split(separator: "\n", omittingEmptySubsequences: false).flatMap { row -> [String] in
      let line = ScreenLine.lines(String(row)).first ?? ScreenLine()
      guard line.width > columns else { return [String(row)] }
      return line.wrapped(to: columns, indent: 2).map(\.text)
    }
  }
}
