import MoTesting
import Testing

/// What anybody on the network may write, in programs that show it in a terminal.
@Suite("Texts from the network", .serialized)
struct HostileTextTests {
  @Test(
    "steer no terminal: no escape sequence, no line of its own, no mark that turns the writing round",
    arguments: [
      "momu play harp --audio virtual --net udp:PORT", "momu osc listen --port PORT",
      "momu osc listen --json --port PORT",
    ])
  func terminal(_ program: String) {
    let run = ProgramRun(shell: "python3 '\(outside("hostile.py"))' 4 \(ProgramRun.folder)/\(program)")
    #expect(run.text == "well\n0\n", "\(run.text)")
  }
}

@Suite("A machine whose address is forged")
struct ForgedAddressTests {
  @Test("gets at most twice the bytes that were sent in its name, whatever is asked")
  func amplification() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("amplify.py"))' '\(ProgramRun.folder)'")
    #expect(run.status == 0 && run.lines.last == "well", "\(run.text)")
  }
}
