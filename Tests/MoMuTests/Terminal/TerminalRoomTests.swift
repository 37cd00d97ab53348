import Testing

@testable import MoProgram

@Suite("How wide text is in a terminal")
struct TerminalRoomTests {
  @Test("a wide character counts as two columns, an accent as none")
  func widths() {
    #expect(TerminalRoom.width("harp") == 4 && TerminalRoom.width("") == 0)
    #expect(TerminalRoom.width("ääa\u{308}") == 3)
    #expect(TerminalRoom.width("太鼓の音") == 8 && TerminalRoom.width("🎻🎻") == 4)
    #expect(TerminalRoom.width("♪ ●○○○ ±1") == 9)
    #expect(TerminalRoom.width("👩\u{200D}🎤") == 2)
  }
}
