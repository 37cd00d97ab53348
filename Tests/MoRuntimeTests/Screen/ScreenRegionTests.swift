import MoTesting
import Testing

@testable import MoRuntime

/// The part of a terminal (ECMA-48, DECSTBM) that a region needs; it counts rows that are erased.
private struct Screen {
  var rows: [String]
  private(set) var isCursorShown = true
  private(set) var (row, column) = (0, 0)
  private var margins: ClosedRange<Int>

  init(rows count: Int) {
    rows = [String](repeating: "", count: count)
    margins = 0...(count - 1)
  }

  mutating func take(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\n": feed()
      case "\r": column = 0
      case "\u{1B}": execute(&rest)
      default:
        var cells = Array(rows[row].padded(to: column + 1))
        cells[column] = Character(scalar)
        rows[row] = String(cells)
        column += 1
      }
    }
  }

  private mutating func feed() {
    column = 0
    guard row == margins.upperBound else {
      row = min(row + 1, rows.count - 1)
      return
    }
    rows.remove(at: margins.lowerBound)
    rows.insert("", at: margins.upperBound)
  }

  private mutating func execute(_ rest: inout ArraySlice<Unicode.Scalar>) {
    #expect(rest.popFirst() == "[")
    let isPrivate = rest.first == "?"
    let numbers = rest.prefix { !("A"..."z").contains($0) }
    rest = rest.dropFirst(numbers.count)
    let values = String(String.UnicodeScalarView(numbers)).split { !$0.isNumber }.compactMap { Int($0) }
    switch rest.popFirst() {
    case "H": (row, column) = ((values.first ?? 1) - 1, (values.count > 1 ? values[1] : 1) - 1)
    case "G": column = (values.first ?? 1) - 1
    case "J":
      if values.first == 2 {
        for index in rows.indices { rows[index] = "" }
      } else {
        for index in row..<rows.count { rows[index] = "" }
      }
    case "K": rows[row] = String(rows[row].prefix(column))
    case "r":
      margins = values.isEmpty ? 0...(rows.count - 1) : (values[0] - 1)...(values[1] - 1)
      (row, column) = (0, 0)
    case "h" where isPrivate: if values == [25] { isCursorShown = true }
    case "l" where isPrivate: if values == [25] { isCursorShown = false }
    case "m": break
    default: Issue.record("an unknown code")
    }
  }
}

@Suite("The rows at the bottom of a terminal, with messages above them")
struct ScreenRegionTests {
  private let room = TerminalSize(columns: 21, rows: 8)

  private func rows(_ texts: String..., cursor: (row: Int, column: Int)? = nil) -> ScreenRows {
    ScreenRows(texts.map { ScreenLine($0) }, cursor: cursor)
  }

  private func trimmed(_ screen: Screen) -> [String] {
    screen.rows.map { String($0.reversed().drop { $0 == " " }.reversed()) }
  }

  @Test("the shell's text stays above, messages scroll between, and the end leaves no picture behind")
  func life() {
    var (region, screen) = (ScreenRegion(), Screen(rows: 8))
    screen.take("$ one\n$ two\n")
    screen.take(region.draw(rows("status", "meter"), in: room))
    #expect(
      trimmed(screen) == ["$ one", "$ two", "", "", "", "", "status", "meter"] && !screen.isCursorShown)
    for number in 1...3 { screen.take(region.message("said \(number)\n")) }
    #expect(trimmed(screen) == ["", "", "", "said 1", "said 2", "said 3", "status", "meter"])
    screen.take(region.erase())
    #expect(trimmed(screen) == ["", "", "", "said 1", "said 2", "said 3", "", ""] && screen.isCursorShown)
    #expect(screen.row == 6 && !region.isDrawn && region.erase().isEmpty)
  }

  @Test("rows that are forgotten are not erased, and the next rows are drawn as the first")
  func forgetting() {
    var (region, screen) = (ScreenRegion(), Screen(rows: 8))
    screen.take(region.draw(rows("status", "meter"), in: room))
    region.forget()
    #expect(!region.isDrawn && region.erase().isEmpty)
    var shell = Screen(rows: 8)
    shell.take("$ fg\n")
    shell.take(region.draw(rows("status", "meter"), in: room))
    #expect(trimmed(shell) == ["$ fg", "", "", "", "", "", "status", "meter"] && !shell.isCursorShown)
  }

  @Test("a region that begins at the bottom covers no text there")
  func atBottom() {
    var (region, screen) = (ScreenRegion(), Screen(rows: 8))
    for number in 1...8 { screen.take("$ \(number)\n") }
    screen.take(region.draw(rows("a", "b", "c"), in: room))
    #expect(trimmed(screen) == ["$ 4", "$ 5", "$ 6", "$ 7", "$ 8", "a", "b", "c"])
  }

  @Test("writes only cells that changed, and nothing if none did")
  func changes() {
    var (region, screen) = (ScreenRegion(), Screen(rows: 8))
    screen.take(region.draw(rows("bar 7 beat 1", "meter"), in: room))
    #expect(region.draw(rows("bar 7 beat 1", "meter"), in: room).isEmpty)
    let change = region.draw(rows("bar 7 beat 2", "meter"), in: room)
    #expect(change == "\u{1B}[?2026h\u{1B}[7;12H2\u{1B}[8H\u{1B}[?2026l")
    screen.take(change)
    screen.take(region.draw(rows("bar", "meter"), in: room))
    #expect(trimmed(screen).suffix(2) == ["bar", "meter"])
  }

  @Test("any rows in any styles replace any others, whatever is said between")
  func anyRows() {
    var random = TestRandom(seed: 7)
    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let styles: [TextStyle] = [[], [.bold], [.faint], [.bold, .red], [.yellow]]
    var (region, screen) = (ScreenRegion(), Screen(rows: 8))
    for _ in 0..<3000 {
      let lines = (0...below(6)).map { _ in
        (0..<below(4)).reduce(ScreenLine()) { line, _ in
          line + ScreenLine(["", "ab", "abc d", "x"][below(4)], styles[below(5)])
        }
      }
      screen.take(region.draw(ScreenRows(lines, cursor: nil), in: room))
      if below(3) == 0 { screen.take(region.message("said\n")) }
      #expect(trimmed(screen).suffix(lines.count) == lines.map { $0.text.trimmingSuffix(" ") }[...])
    }
  }

  @Test("it grows over free rows and shrinks, and messages use the rows that became free")
  func height() {
    var (region, screen) = (ScreenRegion(), Screen(rows: 8))
    screen.take(region.draw(rows("a", "z"), in: room))
    screen.take(region.message("one\n"))
    screen.take(region.draw(rows("a", "b", "c", "z"), in: room))
    #expect(trimmed(screen) == ["", "", "", "one", "a", "b", "c", "z"])
    screen.take(region.draw(rows("z"), in: room))
    #expect(trimmed(screen) == ["", "", "", "one", "", "", "", "z"])
    screen.take(region.message("two\nthree\n"))
    #expect(trimmed(screen) == ["", "", "", "one", "two", "three", "", "z"])
    screen.take(region.draw(rows("y", "z"), in: room))
    #expect(trimmed(screen) == ["", "", "", "one", "two", "three", "y", "z"])
    screen.take(region.erase())
    #expect(trimmed(screen) == ["", "", "", "one", "two", "three", "", ""])
  }

  @Test("breaks a message between words, and always leaves one row for messages")
  func messages() {
    var (region, screen) = (ScreenRegion(), Screen(rows: 4))
    let small = TerminalSize(columns: 21, rows: 4)
    screen.take(region.draw(rows("1", "2", "3", "4", "5"), in: small))
    screen.take(region.message("only who conducts can do that\n"))
    #expect(trimmed(screen) == ["only who conducts…", "1", "2", "3"])
    // Also if the picture grows over the other rows of the message.
    (region, screen) = (ScreenRegion(), Screen(rows: 4))
    screen.take(region.draw(rows("1"), in: small))
    screen.take(region.message("only who conducts can do that\n"))
    #expect(trimmed(screen).suffix(3) == ["only who conducts", "  can do that", "1"])
    screen.take(region.draw(rows("1", "2", "3"), in: small))
    #expect(trimmed(screen) == ["only who conducts…", "1", "2", "3"])
    var (other, wide) = (ScreenRegion(), Screen(rows: 8))
    wide.take(other.draw(rows("meter"), in: room))
    wide.take(other.message("only who conducts can do that: start the rhythm\n"))
    #expect(
      trimmed(wide).suffix(4) == ["only who conducts", "  can do that: start", "  the rhythm", "meter"])
  }

  @Test("draws everything again, with the last messages, after a change of size or a stop of the program")
  func sizes() {
    var (region, screen) = (ScreenRegion(), Screen(rows: 8))
    screen.take(region.draw(rows("status", "meter"), in: room))
    screen.take(region.message("one two three four five\n"))
    screen = Screen(rows: 5)
    screen.take(region.draw(rows("status", "meter"), in: TerminalSize(columns: 15, rows: 5)))
    #expect(trimmed(screen).suffix(2) == ["status", "meter"] && trimmed(screen)[2].contains("five"))
    // A message is broken anew for the narrower terminal.
    screen = Screen(rows: 8)
    screen.take(region.draw(rows("status", "meter"), in: TerminalSize(columns: 12, rows: 8)))
    #expect(trimmed(screen).suffix(5) == ["one two", "  three", "  four five", "status", "meter"])
    var shell = Screen(rows: 5)
    shell.take("$ fg\n")
    shell.take(region.draw(rows("status", "meter"), in: TerminalSize(columns: 15, rows: 5), isKnown: false))
    #expect(trimmed(shell) == ["$ fg", "", "", "status", "meter"])
  }

  @Test("the text cursor is in the typed line, whatever the messages")
  func cursor() {
    var (region, screen) = (ScreenRegion(), Screen(rows: 8))
    screen.take(region.draw(rows("room", "> tem", cursor: (1, 5)), in: room))
    #expect(screen.isCursorShown && (screen.row, screen.column) == (7, 5))
    screen.take(region.message("Ada is here\n"))
    #expect((screen.row, screen.column) == (7, 5) && trimmed(screen)[7] == "> tem")
    screen.take(region.draw(rows("room", "> tem", cursor: (1, 2)), in: room))
    #expect((screen.row, screen.column) == (7, 2))
    screen.take(region.draw(rows("room", "> tem"), in: room))
    #expect(!screen.isCursorShown)
  }

  @Test("wide characters keep their columns, and colours can be switched off")
  func widths() {
    #expect(
      ScreenDiff.bytes(from: ScreenLine("太鼓 a"), to: ScreenLine("太鼓 b"), row: 1, columns: 20, hasColour: true)
        == "\u{1B}[1;6Hb")
    #expect(
      ScreenDiff.bytes(from: ScreenLine("太鼓"), to: ScreenLine("ab鼓"), row: 1, columns: 20, hasColour: true)
        == "\u{1B}[1Hab")
    #expect(
      ScreenDiff.bytes(from: ScreenLine(""), to: ScreenLine("太鼓"), row: 2, columns: 3, hasColour: true)
        == "\u{1B}[2H太")
    let red = ScreenLine("MUTED", [.bold, .red])
    #expect(
      ScreenDiff.bytes(from: ScreenLine(), to: red, row: 1, columns: 9, hasColour: true).contains(
        "\u{1B}[1;31m"))
    #expect(
      ScreenDiff.bytes(from: ScreenLine(), to: red, row: 1, columns: 9, hasColour: false).contains(
        "\u{1B}[1mMUTED"))
  }
}

extension String {
  /// The text without the spaces at its end.
  fileprivate func trimmingSuffix(_ letter: Character) -> String {
    String(reversed().drop { $0 == letter }.reversed())
  }
}

extension ScreenDiff {
  /// The bytes of one row alone.
  fileprivate static func bytes(
    from old: ScreenLine, to new: ScreenLine, row: Int, columns: Int, hasColour: Bool
  ) -> String {
    var style = TextStyle()
    return bytes(from: old, to: new, row: row, columns: columns, hasColour: hasColour, style: &style)
  }
}

@Suite("Rows of text on a screen")
struct ScreenLineTests {
  @Test("cuts and breaks a row between words, and a word only if it is wider than a row")
  func words() {
    let line = ScreenLine("only who conducts can do that")
    #expect(line.cut(to: 20).text == "only who conducts…" && line.cut(to: 29).text == line.text)
    #expect(ScreenLine("Donaudampfschiff").cut(to: 8).text == "Donauda…")
    #expect(line.wrapped(to: 12).map(\.text) == ["only who", "conducts can", "do that"])
    #expect(ScreenLine("abcdefgh ij").wrapped(to: 4).map(\.text) == ["abcd", "efgh", "ij"])
    #expect(ScreenLine("太鼓の音").wrapped(to: 5).map(\.text) == ["太鼓", "の音"])
    #expect(ScreenLine("").wrapped(to: 5).map(\.text) == [""])
    // An indented word that does not fit leaves no empty row before it.
    #expect(ScreenLine("    abcdefgh").wrapped(to: 8).map(\.text) == ["    abcd", "efgh"])
    #expect(ScreenRegion.wrapped("    the sound device\n", columns: 12) == "    the\n    sound\n    device\n")
  }

  @Test("messages before a picture is drawn are broken between words, and short ones stay as they are")
  func messages() {
    #expect(ScreenRegion.wrapped("one two three\n", columns: 9) == "one two\n  three\n")
    #expect(ScreenRegion.wrapped("one\n\ntwo three four", columns: 9) == "one\n\ntwo three\n  four")
    for text in ["one two\n", "one\n\n  two", "", "\n", "\u{1B}[1mone\u{1B}[0m\n"] {
      #expect(ScreenRegion.wrapped(text, columns: 9) == text)
    }
  }

  @Test("rows of the same style set it once, and erased rows have none")
  func styles() {
    var style = TextStyle()
    let rows = (1...3).map { row in
      ScreenDiff.bytes(
        from: ScreenLine(row == 3 ? "long text" : ""), to: ScreenLine("ab", .bold), row: row, columns: 20,
        hasColour: true, style: &style)
    }
    #expect(
      rows == [
        "\u{1B}[1H\u{1B}[1mab", "\u{1B}[2Hab", "\u{1B}[3Hab\u{1B}[0m\u{1B}[3G\u{1B}[K",
      ])
    #expect(style == [])
  }

  @Test("a style that is only added is set without a reset, and a change without colours is no code")
  func addedStyles() {
    #expect(TextStyle.bold.code(after: [], hasColour: true) == "\u{1B}[1m")
    #expect(([.bold, .red] as TextStyle).code(after: .bold, hasColour: true) == "\u{1B}[31m")
    #expect(TextStyle.red.code(after: [.bold, .red], hasColour: true) == "\u{1B}[0;31m")
    #expect(TextStyle.red.code(after: .yellow, hasColour: true) == "\u{1B}[0;31m")
    #expect(TextStyle.red.code(after: .yellow, hasColour: false).isEmpty)
    #expect(TextStyle([]).code(after: .red, hasColour: true) == "\u{1B}[0m")
  }

  @Test("two changes in one row cost one absolute movement and one movement within the row")
  func movements() {
    #expect(
      ScreenDiff.bytes(
        from: ScreenLine("1 of 12345678 is 1"), to: ScreenLine("2 of 12345678 is 2"), row: 7, columns: 20,
        hasColour: true) == "\u{1B}[7H2\u{1B}[18G2")
  }

  @Test("no text can control the terminal, but the styles of a text with codes stay")
  func controls() {
    #expect(ScreenLine("a\u{1B}[2Jb\n").text == "a\\u{1b}[2Jb\\u{a}")
    let lines = ScreenLine.lines("a \u{1B}[7mb\u{1B}[27m c\u{1B}[2J\nd")
    #expect(lines.map(\.text) == ["a b c\\u{1b}[2J", "d"])
    #expect(lines[0].runs.map(\.style) == [[], .inverse, []])
  }

  @Test("blocks get rows by their priority, and lists count the rows that do not fit")
  func blocks() {
    let list = ScreenBlock.list((1...9).map { ScreenLine("m\($0)") }, needed: [8])
    let status = ScreenBlock([ScreenLine("status")], priority: ScreenBlock.Priority.status)
    let help = ScreenBlock([ScreenLine("help 1"), ScreenLine("help 2")], priority: ScreenBlock.Priority.help)
    func rows(_ count: Int) -> [String] {
      ScreenBlock.rows([status, .blank, list, help], count).lines.map(\.text)
    }
    #expect(rows(1) == ["status"])
    #expect(rows(2) == ["status", "m9  and 8 more"])
    #expect(rows(5) == ["status", "m1", "m9", "  and 7 more", "help 1"])
    #expect(rows(13).count == 13 && rows(20).count == 13 && rows(13)[1] == "")
  }

  @Test("block letters are as large as the space allows, and plain if there is none")
  func big() {
    #expect(BigText.lines("12.3", columns: 199, rows: 30).count == 30)
    for (columns, rows) in [(39, 4), (39, 9), (79, 11), (119, 40), (199, 59)] {
      let lines = BigText.lines("SILENCED", columns: columns, rows: rows)
      #expect(lines.count <= rows && lines.allSatisfy { $0.width <= columns })
    }
    #expect(BigText.lines("SILENCED", columns: 20, rows: 4).map(\.text) == ["SILENCED"])
    #expect(
      BigText.lines("1", columns: 3, rows: 5).map(\.text) == [" █ ", "██ ", " █ ", " █ ", "███"])
  }

  @Test("a text with a character that has no block letter is plain, and punctuation has block letters")
  func unknownLetters() {
    for text in ["Übergang", "bar 7: 太", "a@b"] {
      #expect(!BigText.fits(text, columns: 199))
      #expect(BigText.lines(text, columns: 199, rows: 30).map(\.text) == [text])
    }
    for mark in "0123456789 ABCDEFGHIJKLMNOPQRSTUVWXYZ.:,;-–?!/%'’\"()&+=*#_" {
      let lines = BigText.lines("\(mark)", columns: 9, rows: 5).map(\.text)
      #expect(lines.count == 5 && Set(lines.map(\.count)).count == 1, "\(mark)")
      #expect(lines.contains { $0.contains("█") } == (mark != " "), "\(mark)")
    }
    #expect(
      BigText.lines("d'", columns: 5, rows: 5).map(\.text) == ["██  █", "█ █ █", "█ █  ", "█ █  ", "██   "])
  }
}
