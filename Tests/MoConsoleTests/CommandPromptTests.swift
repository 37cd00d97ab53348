import MoConsole
import MoRuntime
import Testing

@Suite("The line for commands")
struct CommandPromptTests {
  @Test("inserts pasted text while it is open, and refuses pasted text while it is closed")
  func pasting() {
    let prompt = CommandPrompt(": ")
    #expect(!prompt.handleKey(.pasted("x")) && !prompt.handleKey(.pasted(":")))
    prompt.open("say ")
    for letter in "a b!" { #expect(prompt.handleKey(.pasted(letter))) }
    let rows = ScreenBlock.rows([prompt.block(columns: 40)].compactMap(\.self), 2)
    #expect(rows.lines.map(\.text) == [": say a b!"])
  }
}
