import MoTesting
import Testing

@Suite("Documents")
struct DocumentTests {
  private let root = packageFolder()

  @Test("show programs that are also compiled by the tests")
  func signals() throws {
    let document = ProgramRun(shell: "cat '\(root)/Docs/Signals.md'").text
    let source = ProgramRun(shell: "cat '\(root)/Tests/ProgramTests/SignalsExample.swift'").lines
    let first = try #require(source.firstIndex { $0.hasPrefix("func signalsExample") })
    let body = source[(first + 1)...].dropLast().map { $0.dropFirst(2) }.joined(separator: "\n")
    #expect(body.hasPrefix("MoApp.run"))
    #expect(document.contains("```swift\nimport MoMu\n\n\(body)\n```"))
  }
}
