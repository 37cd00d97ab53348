import MoTesting
import Testing

@Suite("Network MIDI with other programs")
struct NetworkMIDITests {
  private let folder = Scratch()

  @Test("pymidi, tshark and strangers find every law kept")
  func laws() {
    let packages = "\(packageFolder())/.build-python"
    let run = ProgramRun(
      shell:
        "unshare --net python3 '\(outside("network_midi.py"))' '\(ProgramRun.folder)/momu' '\(packages)' '\(folder.path)'"
    )
    #expect(run.lines.count { $0.hasPrefix("ok ") } == 6, "\(run.text)")
  }
}
