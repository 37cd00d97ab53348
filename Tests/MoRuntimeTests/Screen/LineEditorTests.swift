import MoRuntime
import Testing

@Suite("The line editor")
struct LineEditorTests {
  private func type(_ text: String, into editor: inout LineEditor) {
    for letter in text { _ = editor.handleKey(.character(letter)) }
  }

  @Test("Ctrl-A, E, B, F, D, K, U, W and Y have the same effect as in a shell")
  func keys() {
    var editor = LineEditor()
    type("section low strings Ada", into: &editor)
    type("\u{17}", into: &editor)
    #expect(editor.line == "section low strings ")
    type("\u{01}X\u{06}\u{04}\u{05}!", into: &editor)
    #expect(editor.line == "Xsction low strings !")
    type("\u{02}\u{15}", into: &editor)
    #expect(editor.line == "!")
    type("\u{19}\u{01}\u{0B}", into: &editor)
    #expect(editor.line == "")
    type("\u{19}\u{19}", into: &editor)
    #expect(editor.line == "Xsction low strings !Xsction low strings !")
  }

  @Test("arrows, Home, End and Delete move and delete whole characters, also composed ones")
  func characters() {
    var editor = LineEditor()
    type("a太e\u{301}", into: &editor)
    #expect(editor.line == "a太e\u{301}" && editor.line.count == 3)
    _ = editor.handleKey(.left)
    type("🎻", into: &editor)
    #expect(editor.line == "a太🎻e\u{301}")
    _ = editor.handleKey(.home)
    _ = editor.handleKey(.delete)
    _ = editor.handleKey(.end)
    type("\u{7F}", into: &editor)
    #expect(editor.line == "太🎻")
    type("\u{0C}\u{200B}", into: &editor)
    #expect(editor.line == "太🎻")
  }

  @Test("recalls earlier lines, and after them the line that was begun")
  func history() {
    var editor = LineEditor()
    #expect(editor.handleKey(.up) == .nothing)
    for line in ["start", "tempo 96", "tempo 96"] {
      type(line, into: &editor)
      #expect(editor.handleKey(.character("\n")) == .line(line))
    }
    type("ha", into: &editor)
    _ = editor.handleKey(.up)
    #expect(editor.line == "tempo 96")
    _ = editor.handleKey(.up)
    #expect(editor.line == "start")
    _ = editor.handleKey(.up)
    _ = editor.handleKey(.down)
    _ = editor.handleKey(.down)
    #expect(editor.line == "ha")
    for _ in 0..<2 { #expect(editor.handleKey(.character("\u{7F}")) == .nothing) }
    #expect(editor.handleKey(.character("\u{7F}")) == .left && editor.handleKey(.character("\n")) == .left)
  }

  @Test(
    "Tab completes a word as far as it is unambiguous, and shows the choices; names with spaces get quotes")
  func completion() {
    let words: (String) -> [String] = { before in
      before.isEmpty ? ["start", "stop", "give"] : ["Ada Lovelace", "Ada Byron", "Ben"]
    }
    var editor = LineEditor()
    type("g", into: &editor)
    _ = editor.handleKey(.character("\t"), complete: words)
    #expect(editor.line == "give ")
    type("be", into: &editor)
    _ = editor.handleKey(.character("\t"), complete: words)
    #expect(editor.line == "give Ben ")
    editor.begin("s")
    _ = editor.handleKey(.character("\t"), complete: words)
    #expect(editor.line == "st" && editor.choices.isEmpty)
    _ = editor.handleKey(.character("\t"), complete: words)
    #expect(editor.line == "st" && editor.choices == ["start", "stop"])
    editor.begin("give a")
    _ = editor.handleKey(.character("\t"), complete: words)
    #expect(editor.line == "give \"Ada ")
    type("l", into: &editor)
    _ = editor.handleKey(.character("\t"), complete: words)
    #expect(editor.line == "give \"Ada Lovelace\" ")
    editor.begin("x")
    _ = editor.handleKey(.character("\t"), complete: words)
    #expect(editor.line == "x")
  }

  @Test("Esc and Ctrl-G drop the line", arguments: ["\u{1B}", "\u{07}"] as [Character])
  func dropped(key: Character) {
    var editor = LineEditor()
    type("give Ben", into: &editor)
    let outcome = editor.handleKey(.character(key))
    #expect(outcome == .left && editor.line == "")
  }

  @Test("of a line longer than the row, the part around the cursor is drawn")
  func drawing() {
    var editor = LineEditor()
    type("0123456789abcdefghij", into: &editor)
    func row() -> (String, Int?) {
      let rows = ScreenBlock.rows([editor.block(prompt: "> ", columns: 12)], 1)
      return (rows.lines[0].text, rows.cursor?.column)
    }
    #expect(row() == ("> bcdefghij", 11))
    for _ in 0..<20 { _ = editor.handleKey(.left) }
    #expect(row() == ("> 012345678", 2))
  }
}
