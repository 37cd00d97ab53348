import MoTesting
import Testing

@Suite("Names of earlier versions")
struct EarlierNamesTests {
  @Test("each earlier call compiles, with one deprecation message that names its successor")
  func deprecations() {
    let root = packageFolder()
    let run = ProgramRun(
      shell: "'\(root)/Tests/ProgramTests/Outside/earlier.py' '\(ProgramRun.folder)' '\(root)' 2>&1")
    #expect(run.status == 0, "\(run.text)")
  }
}
