import MoTesting
import Testing

@Suite("The terminal, while its keys play")
struct TerminalTests {
  private func play(_ signal: String) -> [Substring] {
    ProgramRun(
      shell: "ulimit -c 0; python3 '\(outside("terminal.py"))' \(signal) "
        + "'\(ProgramRun.folder)/ShakeDrum' --audio none --accel keys"
    ).lines
  }

  @Test(
    "is given back however the program ends",
    arguments: ["INT", "TERM", "HUP", "QUIT", "ABRT", "SEGV", "ILL"])
  func ending(signal: String) {
    #expect(play(signal) == ["playing keyboard", "ended lines"])
  }

  @Test("is given back while the program is stopped, and taken again when it goes on")
  func stopping() {
    #expect(play("TSTP") == ["playing keyboard", "stopped lines", "going on keyboard", "ended lines"])
  }
}
