import MoMu
import MoTesting
import Testing

@Suite("The terminal while its keys play")
struct TerminalTests {
  private func play(_ signal: String, _ program: String = "ShakeDrum --audio none") -> [Substring] {
    ProgramRun(
      shell: "ulimit -c 0; cd '\(ProgramRun.folder)'; export MISBEHAVE=later; "
        + "python3 '\(outside("terminal.py"))' \(signal) ./\(program) --accel keys"
    ).lines
  }

  @Test("is restored when a signal ends the program", arguments: ["INT", "TERM", "HUP", "QUIT"])
  func ending(signal: String) {
    #expect(play(signal) == ["playing keyboard", "ended lines", "pastes hl"])
  }

  @Test("is restored when the program crashes", arguments: ["ABRT", "SEGV", "ILL"])
  func falling(signal: String) {
    #expect(play(signal) == ["playing keyboard", "ended lines", "pastes hl"])
  }

  @Test(
    "is restored when --check-realtime ends the program",
    .enabled(if: RealTimeCheck.isAvailable, "a sanitizer owns the calls"))
  func offending() {
    let lines = play("USR1", "Misbehave --audio virtual --check-realtime")
    #expect(lines == ["playing keyboard", "ended lines", "pastes hl"])
  }

  @Test(
    "belongs to the shell while the program is in the background, and to the program again in the foreground")
  func background() {
    let run = ProgramRun(
      alone: "exec python3 '\(outside("background.py"))' stop '\(ProgramRun.folder)/momu' play tone "
        + "--audio virtual --accel keys")
    #expect(
      run.text == """
        nothing is drawn
        the shell reads b'x\\n'
        it has the keys again
        ended: 0

        """)
  }

  @Test("momu session --conduct conducts in the background, and reads lines once it is in the foreground")
  func backgroundSession() {
    let run = ProgramRun(
      alone: "exec python3 '\(outside("background.py"))' start '\(ProgramRun.folder)/momu' session --conduct "
        + "--room Lab --name Bo")
    #expect(
      run.text == """
        it conducts in the background
        it reads a line in the foreground
        ended: 0

        """)
  }

  @Test("is restored while the program is stopped, and taken over again when it continues")
  func stopping() {
    #expect(
      play("TSTP") == [
        "playing keyboard", "stopped lines", "going on keyboard", "ended lines", "pastes hlhl",
      ])
  }
}
