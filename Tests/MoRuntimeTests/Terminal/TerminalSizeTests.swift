import MoRuntime
import Testing

@Suite("The width of text in a terminal")
struct TerminalRoomTests {
  @Test("a wide character takes two columns, an accent none")
  func widths() {
    #expect(TerminalSize.width("harp") == 4 && TerminalSize.width("") == 0)
    #expect(TerminalSize.width("ääa\u{308}") == 3)
    #expect(TerminalSize.width("太鼓の音") == 8 && TerminalSize.width("🎻🎻") == 4)
    #expect(TerminalSize.width("♪ ●○○○ ±1") == 9)
    #expect(TerminalSize.width("👩\u{200D}🎤") == 2)
  }
}
