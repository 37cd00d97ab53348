import MoTesting
import Testing

@Suite("Documents")
struct DocumentTests {
  private let root = packageFolder()

  /// Runs a script of Tests/Docs on this build and expects that it finds nothing wrong.
  private func expectClean(_ script: String) {
    let run = ProgramRun(shell: "'\(root)/Tests/Docs/\(script)' '\(ProgramRun.folder)' 2>&1")
    #expect(run.status == 0, "\(run.text)")
  }

  @Test("every Swift block of the pages and of doc comments compiles")
  func swiftBlocks() { expectClean("swift") }

  @Test("Docs/Troubleshooting.md has an entry for each error, and no other")
  func errors() { expectClean("errors") }

  @Test("the commands of every shell block run, and show the output that the pages show")
  func shellBlocks() { expectClean("shell") }

  @Test("DocC makes the reference of all public modules without a warning")
  func reference() { expectClean("reference") }
}
