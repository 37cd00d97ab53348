import MoTesting
import Testing

@Suite("Real programs with instruments in a locked room")
struct LockedBandTests {
  @Test(
    "members with one passkey hear each other; one with another passkey is isolated, and learns why")
  func passkeys() {
    let run = ProgramRun(
      shell: "unshare --net python3 '\(outside("locked_band.py"))' '\(ProgramRun.folder)'")
    #expect(
      run.text == """
        Eve is told why, and so is Anna
        Eve sees the others: False
        the others see Eve: False
        Anna heard [60, 66]
        Ben heard [60, 66]
        Eve heard [70]

        """)
  }
}
