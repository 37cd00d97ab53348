import MoProgram
import Testing

@testable import MoMuTool

/// As much of a terminal (ECMA-48, and DEC's saved cursor) as a picture at its top needs.
private struct Screen {
  var rows: [String]
  private var (row, column) = (0, 0)
  private var saved = (0, 0)

  init(rows count: Int) { rows = [String](repeating: "", count: count) }

  mutating func take(_ text: String) {
    var rest = Array(text)[...]
    while let character = rest.popFirst() {
      switch character {
      case "\n":
        (row, column) = (row + 1, 0)
        if row == rows.count {
          rows.removeFirst()
          rows.append("")
          row -= 1
        }
      case "\u{1B}": obey(&rest)
      default:
        rows[row] = String(rows[row].prefix(column).padded(to: column)) + String(character)
        column += 1
      }
    }
  }

  private mutating func obey(_ rest: inout ArraySlice<Character>) {
    switch rest.popFirst() {
    case "7": saved = (row, column)
    case "8": (row, column) = saved
    case "[":
      let numbers = rest.prefix { !$0.isLetter }
      rest = rest.dropFirst(numbers.count)
      let number = Int(String(numbers).split(separator: ";").first ?? "1") ?? 1
      switch rest.popFirst() {
      case "H": (row, column) = (number - 1, 0)
      case "A": row = max(0, row - number)
      case "B": row = min(rows.count - 1, row + number)
      case "J": for index in row..<rows.count { rows[index] = "" }
      case "K": rows[row] = String(rows[row].prefix(column))
      case "L":
        rows.insert(contentsOf: [String](repeating: "", count: number), at: row)
        rows.removeLast(number)
      case "M":
        rows.removeSubrange(row..<(row + number))
        rows += [String](repeating: "", count: number)
      default: Issue.record("an unknown code")
      }
    default: Issue.record("an unknown code")
    }
  }
}

extension Substring {
  fileprivate func padded(to width: Int) -> String { String(self).padded(to: width) }
}

@Suite("The room at the top of a terminal")
struct SessionScreenTests {
  private let room = TerminalRoom(columns: 20, rows: 6)

  @Test("what is said and typed stays below it, whether it grows or shrinks")
  func below() {
    var (screen, terminal) = (SessionScreen(), Screen(rows: 10))
    terminal.take(screen.paint({ _ in "room\nno rhythm\n" }, in: room))
    terminal.take("somebody is here\nhal")
    terminal.take(screen.paint({ _ in "room\nno rhythm\nAda\nBen\n" }, in: room))
    #expect(terminal.rows.prefix(6) == ["room", "no rhythm", "Ada", "Ben", "somebody is here", "hal"])
    terminal.take("t\nthere is no word\n")
    terminal.take(screen.paint({ _ in "room\nBen\n" }, in: room))
    terminal.take("more")
    #expect(
      terminal.rows.prefix(7) == ["room", "Ben", "somebody is here", "halt", "there is no word", "more", ""])
  }

  @Test("what is said scrolls below it, and no more is drawn than there is room for")
  func scrolling() {
    var (screen, terminal) = (SessionScreen(), Screen(rows: 10))
    var asked = 0
    let picture: (Int) -> String = { most in
      asked = most
      return (1...9).map { "a line of more than twenty columns \($0)\n" }.joined()
    }
    terminal.take(screen.paint(picture, in: room))
    for number in 1...20 { terminal.take("said \(number)\n") }
    terminal.take(screen.paint(picture, in: room))
    let line = "a line of more than "
    #expect(terminal.rows == [line, line, line, line, line, line, "said 18", "said 19", "said 20", ""])
    #expect(asked == 2)
  }

  @Test("a terminal of another size is drawn anew")
  func size() {
    var (screen, terminal) = (SessionScreen(), Screen(rows: 10))
    terminal.take(screen.paint({ _ in "room\nAda\nBen\n" }, in: room))
    terminal.take("said\n")
    terminal.take(screen.paint({ _ in "room\nAda\n" }, in: TerminalRoom(columns: 3, rows: 6)))
    #expect(terminal.rows.prefix(4) == ["roo", "Ada", "", ""])
  }
}
