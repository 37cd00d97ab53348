import MoDSP
import MoInstruments
import Testing

@Suite("Instruments without sound")
struct SilentStageTests {
  @Test("MoAudio.stop() ends all instruments, and the next one plays on a new bus")
  func stops() throws {
    let before = Run.current
    defer { Run.begin(before) }
    Run.begin(Run(try RunOptions(arguments: ["--audio", "none"])))
    for _ in 0..<3 {
      let handle = try MoAudio.play(Probe())
      #expect(handle.name == "probe")
      #expect(try MoAudio.play(Probe()).name == "probe-2")
      #expect(MoAudio.instruments.count == 2)
      MoAudio.stop()
      #expect(MoAudio.instruments.isEmpty)
    }
  }
}
