import MoTesting
import Testing

@Suite("A locked room with instruments, real programs at terminals")
struct LockedBandTests {
  @Test(
    "those with one passkey hear each other; one with another hears nobody, nor is heard, and is told why")
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
