import Testing

@testable import MoProgram

@Suite("What a terminal has room for")
struct TerminalRoomTests {
  private func lines(_ text: String, _ columns: Int, _ rows: Int = 10) -> [String] {
    TerminalRoom(columns: columns, rows: rows).lines(text)
  }

  @Test("what is wide counts as two columns, accents as none, colours as none and to their end")
  func widths() {
    #expect(lines("harp", 4) == ["harp"] && lines("harps", 4) == ["harp"])
    #expect(lines("ääääää", 4) == ["ääää"] && lines("a\u{308}a\u{308}b", 2) == ["a\u{308}a\u{308}"])
    #expect(lines("太鼓の音", 5) == ["太鼓"] && lines("🎻🎻🎻", 4) == ["🎻🎻"])
    #expect(lines("ab\u{1B}[7mcd\u{1B}[27mef", 3) == ["ab\u{1B}[7mc\u{1B}[27m"])
    #expect(lines("♪ ●○○○ ±1", 9) == ["♪ ●○○○ ±1"])
    #expect(lines("abc", 0) == ["a"])
  }

  @Test("of too many lines the first and the last stay")
  func rows() {
    #expect(lines("1\n2\n3\n4\n5", 9, 3) == ["1", "2", "5"])
    #expect(lines("1\n2\n3", 9, 3) == ["1", "2", "3"])
    #expect(lines("1\n2\n3", 9, 1) == ["3"])
    #expect(lines("", 9, 1) == [""])
  }
}
