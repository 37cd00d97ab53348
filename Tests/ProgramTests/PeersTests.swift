import MoTesting
import Testing

@Suite("Other OSC programs")
struct PeersTests {
  @Test(
    "exchange ten thousand random messages in both directions, exact to the bit",
    arguments: [
      "python-to-momu", "momu-to-python", "liblo-to-momu", "momu-to-liblo", "chuck-to-momu", "momu-to-chuck",
    ])
  func messages(pair: String) {
    let run = ProgramRun(
      alone: "python3 '\(outside("peers.py"))' '\(ProgramRun.folder)/NetPeer' \(pair) </dev/null")
    #expect(run.status == 0 && run.lines.last == "10000 the same", "\(run.text)")
  }

  @Test("no test script has the name of a Python module, which it would hide")
  func names() {
    let run = ProgramRun(
      shell: """
        cd "$(dirname '\(outside("peers.py"))')"; python3 -c 'import pathlib, sys
        names = [path.stem for path in pathlib.Path().glob("*.py")]
        print(len(names) > 5, [name for name in names if name in sys.stdlib_module_names])'
        """)
    #expect(run.text == "True []\n")
  }
}
