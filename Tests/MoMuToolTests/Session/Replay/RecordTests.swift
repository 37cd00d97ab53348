import MoTesting
import Testing

@Suite("momu session --record")
struct RecordTests {
  @Test("reports the leader's actions on others, and a killed program's tape has them")
  func record() {
    let run = ProgramRun(shell: "unshare --net python3 '\(outside("record.py"))' '\(ProgramRun.folder)/momu'")
    #expect(
      run.text == """
        Anna: Anna conducts
        Anna: Ben is here
        Ben: Anna conducts
        Anna: there is no section "drumz": did you mean "drums"? The sections are drums
        Ben: your section drums is at 50 %
        Ben: Anna cues
        Ben: Anna conducts: ask for the baton
        Anna:   1 drums   50 %  Ben
        in order: True from 0: True
        clock heard/cells heard/cue member room state
        0
          room    Lab
          shared  section/drums: 1 change
        100 beats per minute in 4/4

        """)
  }
}
