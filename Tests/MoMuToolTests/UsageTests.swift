import MoTesting
import Testing

@Suite("momu typed wrong")
struct UsageTests {
  @Test(
    "Every mistake has its text, and a status",
    arguments: [
      (
        "docter", 64,
        "momu has no verb \"docter\", only calibrate, doctor, osc, session, simulate: momu --help explains them"
      ),
      (
        "osc listne", 64,
        "momu osc has no verb \"listne\", only listen, send, record, replay, ping: momu osc --help explains them"
      ),
      (
        "calibrate --clicks 2", 64,
        "Error: The value '2' is invalid for '--clicks <N>': it is a whole number from 3 to 99"
      ),
      (
        "calibrate --distance near", 64,
        "Error: The value 'near' is invalid for '--distance <CM>': it is a number of centimetres from 0 to 1000, "
          + "such as 30"
      ),
      ("doctor --prot 3", 64, "Error: Unknown option '--prot'. Did you mean '--port'?"),
      (
        "doctor --port 0", 64,
        "Error: The value '0' is invalid for '--port <N>': a port is a whole number from 1 to 65535"
      ),
      (
        "osc listen --count 0", 64,
        "Error: The value '0' is invalid for '--count <N>': it is a whole number from 1"
      ),
      ("osc ping", 64, "Error: Missing expected argument '<HOST[:PORT]>'"),
      (
        "osc ping --interval 0 x", 64,
        "Error: The value '0' is invalid for '--interval <S>': it is a number of seconds from 0.001 to 60, such as 0.1"
      ),
      (
        "osc replay --speed 0 a b", 64,
        "Error: The value '0' is invalid for '--speed <X>': it is a number above 0, such as 2 or 0.5"
      ),
      (
        "osc replay /nowhere.osc localhost:9", 1,
        "cannot read the tape /nowhere.osc: No such file or directory; to record one: momu osc record /nowhere.osc"
      ),
      (
        "osc record --port 47120 /nowhere/x.osc", 1,
        "cannot make the tape /nowhere/x.osc: No such file or directory; name a file in a folder that is there and yours"
      ),
      ("osc send --types if localhost:9 /a 1", 1, "the types if want 2 values, and 1 is given"),
      ("osc send localhost:9 a", 1, "cannot be sent as OSC: the address 'a' does not begin with '/'"),
      (
        "osc send nobody.invalid:9 /a", 1,
        "nobody on the network is called nobody.invalid: check the spelling, or use the address that 'hostname -I' "
          + "prints there"
      ),
      (
        "osc send localhost /a", 1,
        "\"localhost\" is no target: it names no port; write 192.168.0.5:8888, name.local:8888, broadcast:8888, "
          + "224.0.1.9:8888 or tcp:192.168.0.5:8888"
      ),
    ])
  func mistakes(arguments: String, status: Int32, text: String) {
    let run = ProgramRun("momu", arguments)
    #expect(run.lines.first.map(String.init) == text)
    #expect(run.status == status)
  }

  @Test("What is sent where nobody listens is said to be")
  func nobodyListens() {
    let run = ProgramRun(
      shell: """
        for n in $(seq 100); do
          text=$('\(ProgramRun.folder)/momu' osc send 127.0.0.1:9 /a 2>&1); status=$?
          [ $status = 0 ] || { echo "$text"; echo status $status; break; }
        done
        """)
    #expect(
      run.text == """
        nobody listens at 127.0.0.1:9: is the program there running, and is the port right?
        status 1

        """)
  }

  @Test("A port that is taken is said to be, and by whom")
  func portTaken() {
    let run = ProgramRun(
      shell: """
        oscdump 47121 & peer=$!; trap 'kill $peer' EXIT; until grep -q ":B811 " /proc/net/udp; do :; done
        '\(ProgramRun.folder)/momu' osc listen --port 47121; echo status $?
        """)
    #expect(
      run.text == """
        port 47121 is taken by oscdump: close it, or listen on another port with --port 47122 (momu doctor \
        --port 47121 shows who has it)
        status 1

        """)
  }
}
