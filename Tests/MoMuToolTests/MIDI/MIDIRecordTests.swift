import MoMu
import MoTesting
import Testing

@testable import MoMuTool

@Suite("momu midi record")
struct MIDIRecordTests {
  @Test("ends with status 1 if the MIDI file cannot be written")
  func fullFile() {
    let run = Scratch().run(
      "ln -s /dev/full take.mid; momu midi record take.mid sim:scale --seconds 1; echo status $?")
    #expect(run.text.contains("cannot write take.mid: No space left on device"), "\(run.text)")
    #expect(run.text.contains(" arrived, but take.mid is not complete\nstatus 1\n"), "\(run.text)")
  }

  @Test("has an incomplete file after an overrun, but a complete file after a port disappears")
  func lostMessages() {
    #expect(MIDIRecordCommand.losesMessages(.overrun))
    #expect(MIDIRecordCommand.losesMessages(.outputEnded(reason: "")))
    #expect(MIDIRecordCommand.losesMessages(.recordingEnded(reason: "")))
    #expect(!MIDIRecordCommand.losesMessages(.lost(name: "")))
  }

  @Test("ends with status 1 if the tape ends early")
  func fullTape() {
    // The largest file has 512 or 1024 bytes, which depends on the shell.
    let run = Scratch().run(
      "trap '' XFSZ; ulimit -f 1; momu midi record take.osc sim:scale --seconds 3; echo status $?")
    #expect(run.text.contains("recording to take.osc stopped: File too large"), "\(run.text)")
    #expect(run.text.contains(" arrived, but take.osc is not complete\nstatus 1\n"), "\(run.text)")
  }
}
