import MoTesting
import Testing

/// Hostile text from the network, in programs that show it in a terminal.
@Suite("Texts from the network", .serialized)
struct HostileTextTests {
  @Test(
    "cannot control a terminal: no escape sequence, no extra line, no mark that reverses the text",
    arguments: [
      "momu play harp --audio virtual --net udp:PORT", "momu osc listen --port PORT",
      "momu osc listen --json --port PORT",
    ])
  func terminal(_ program: String) {
    let run = ProgramRun(shell: "python3 '\(outside("hostile.py"))' 4 \(ProgramRun.folder)/\(program)")
    #expect(run.text == "well\n0\n", "\(run.text)")
  }

  @Test(
    "from members cannot control a session's terminal: names, rooms, words, parameters, sections, versions",
    arguments: [
      "--type 'check\\n,ignore note\\n' FOLDER/momu session --room Lab --name Tina --listen",
      "FOLDER/momu session check --room Lab",
      "--type C,i,a FOLDER/Orchestra --room Lab --name Tina --audio virtual",
      "--type a FOLDER/momu play harp --room Lab --name Tina --audio virtual",
      "--type a FOLDER/momu session big-mama --room Lab --name Tina --audio virtual",
      "--type C,a FOLDER/momu session gestures --room Lab --name Tina --accel sim:tilt",
    ])
  func room(_ words: String) {
    let home = "XDG_STATE_HOME=$d XDG_CONFIG_HOME=$d HOME=$d"
    let run = ProgramRun(
      shell: "cd '\(ProgramRun.folder)'; d=$(mktemp -d); \(home) "
        + "unshare --net python3 '\(outside("hostile.py"))' 4 \(words.replacing("FOLDER", with: ".")); rm -r $d"
    )
    // A check of such a room ends with status 1.
    #expect(run.text == "well\n0\n" || words.contains(" check ") && run.text == "well\n1\n", "\(run.text)")
  }
}

@Suite("A machine whose address is forged")
struct ForgedAddressTests {
  @Test("receives at most twice the bytes that were sent in its name, for any request")
  func amplification() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("amplify.py"))' '\(ProgramRun.folder)'")
    #expect(run.status == 0 && run.lines.last == "well", "\(run.text)")
  }
}

@Suite("A flood of hellos from forged addresses to real programs")
struct ForgedHelloTests {
  @Test(
    "keeps no new member out; members use no more memory and lose no other, in open and locked rooms",
    arguments: ["", "MOMU_PASSKEY='five plain words for one room' "])
  func flood(_ environment: String) {
    let run = ProgramRun(
      shell: "cd '\(ProgramRun.folder)'; \(environment)"
        + "unshare --net python3 '\(outside("flood.py"))' ./momu 20000 5000 2>/dev/null")
    #expect(run.text == "well\n", "\(run.text)")
  }
}
