import MoTesting
import Testing

@Suite("Members on IPv4 and IPv6")
struct ProtocolsTests {
  @Test("machines with only IPv6, and one with both, share one room in time")
  func mixed() {
    let run = ProgramRun(
      shell:
        "unshare --net python3 '\(outside("two_protocols.py"))' '\(ProgramRun.folder)/momu' 6,46,6 2>/dev/null"
    )
    #expect(run.text == "well\n", "\(run.text)")
  }

  @Test("a check reports that all are ready, and names a member with another version, with status 1")
  func check() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("check.py"))' '\(ProgramRun.folder)/momu' 2>/dev/null")
    #expect(
      run.text == """
        ready: True 2 []
        names: True
        problems: []
        status: 1
                    Old uses version 1 of the session protocol, this program 2
        Not ready: the room.

        """)
  }
}
