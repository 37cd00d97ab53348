import Glibc
import MoRuntime
import Testing

@Suite("The terminal's keys")
struct KeyReaderTests {
  private func keys(_ text: String) -> [TerminalKey] {
    var parser = KeyParser()
    return text.utf8.compactMap { parser.key(after: $0) }
  }

  @Test("reads arrows in both of a terminal's modes, and with Shift, Alt and Ctrl, as xterm sends them")
  func arrows() {
    #expect(keys("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D") == [.up, .down, .right, .left])
    #expect(keys("\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD") == [.up, .down, .right, .left])
    #expect(keys("\u{1B}[1;2A\u{1B}[1;3B\u{1B}[1;5C") == [.up, .down, .right])
  }

  @Test("reads Home, End and Delete as xterm, the console and rxvt send them")
  func editing() {
    #expect(keys("\u{1B}[H\u{1B}OH\u{1B}[1~\u{1B}[7~") == [.home, .home, .home, .home])
    #expect(keys("\u{1B}[F\u{1B}OF\u{1B}[4~\u{1B}[8~\u{1B}[3~") == [.end, .end, .end, .end, .delete])
  }

  @Test("ignores other sequences as a whole: Shift-Tab, Insert, F5, F1")
  func otherSequences() {
    #expect(keys("\u{1B}[Za\u{1B}[2~b\u{1B}[15~c\u{1B}OPe") == "abce".map { .character($0) })
  }

  @Test("ignores F1 to F5 of the Linux console, including their last letter")
  func consoleKeys() {
    #expect(keys("\u{1B}[[A").isEmpty)
    #expect(keys("\u{1B}[[Aa\u{1B}[[E\u{1B}[[B\u{1B}[A") == [.character("a"), .up])
    #expect(keys("\u{1B}[[\u{1B}[Bb") == [.down, .character("b")])
  }

  @Test(
    "pasted text is no keys: its line breaks are spaces, and its control characters and sequences are ignored"
  )
  func pasting() {
    let typed = keys("a\u{1B}[200~\nx!\u{07}\u{1B}[A\u{1B}[3~é\t\u{1B}[201~!")
    let pasted = " x!é ".map { TerminalKey.pasted($0) }
    #expect(typed == [TerminalKey.character("a")] + pasted + [TerminalKey.character("!")])
  }

  @Test("the escape key begins no sequence that the next key or sequence does not end")
  func escapeKey() {
    #expect(keys("\u{1B}q\u{1B}\u{1B}[A ") == [.character("q"), .up, .character(" ")])
  }

  @Test("reads characters beyond ASCII whole, and ignores bytes that are not UTF-8")
  func beyondASCII() {
    #expect(keys("å−🎻x") == "å−🎻x".map { .character($0) })
    var parser = KeyParser()
    let broken: [UInt8] = [0xC3, 0x28, 0xA0, 0xFF, 0xED, 0xA0, 0x80, 0xE2, 0x88, 0x61]
    #expect(broken.compactMap { parser.key(after: $0) } == [.character("("), .character("a")])
  }

  @Test("reads keys as they come, a sequence in any number of reads, and never waits")
  func reads() {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    defer { close(ends[0]) }
    var reader = KeyReader(ends[0])
    #expect(reader.read().isEmpty)
    var heard: [TerminalKey] = []
    for byte in "a\u{1B}[1;2D\n".utf8 {
      var byte = byte
      #expect(write(ends[1], &byte, 1) == 1)
      heard += reader.read()
    }
    #expect(heard == [.character("a"), .left, .character("\n")])
    #expect(reader.descriptor == ends[0])
    close(ends[1])
    #expect(reader.read().isEmpty && reader.descriptor == nil)
    #expect(reader.read().isEmpty)
  }
}
