import MoTesting
import Testing

@Suite("The README")
struct ReadmeTests {
  private let root = packageFolder()

  @Test("shows ShakeDrum unchanged")
  func snippet() throws {
    let readme = ProgramRun(shell: "cat '\(root)/README.md'").text
    let program = ProgramRun(shell: "cat '\(root)/Examples/ShakeDrum/main.swift'").text
    let start = try #require(program.firstRange(of: "import MoMu"))
    #expect(readme.contains("```swift\n" + program[start.lowerBound...] + "```"))
    #expect(program.split(separator: "\n").count <= 40)
  }

  @Test("names exactly the options of --help")
  func options() {
    func options(_ text: String) -> Set<String> {
      Set(text.matches(of: /--[a-z-]+[a-z]/).map { String($0.0) })
    }
    let table = ProgramRun(shell: "grep '^| `--' '\(root)/README.md'").text
    let help = ProgramRun("ShakeDrum", "--help | grep '^  --'").text
    let rows = help.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(!rows.isEmpty)
    #expect(options(table) == Set(rows).union(["--audio", "--accel"]))
  }
}
