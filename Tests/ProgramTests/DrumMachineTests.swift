import MoTesting
import Testing

@Suite("The program DrumMachine")
struct DrumMachineTests {
  private let folder = Scratch()

  @Test(
    "plays without devices, the same bytes for a seed, and without violations in the audio callback")
  func renders() {
    for (file, more) in [("a.wav", ""), ("b.wav", "--check-realtime")] {
      let run = ProgramRun(
        "DrumMachine", "--audio", "wav:'\(folder.path)/\(file)'", "--offline --seed 1 --quiet --seconds 8",
        more,
        "</dev/null")
      #expect(run.status == 0, "\(run.text)")
      // Under a sanitizer the real-time check covers less, and reports how much.
      if more.isEmpty { #expect(run.text == "") }
    }
    #expect(ProgramRun(shell: "cmp '\(folder.path)/a.wav' '\(folder.path)/b.wav'").status == 0)
    let wav = Wav("\(folder.path)/a.wav")
    #expect(wav.channels == 2 && wav.frames == 8 * 48_000)
    #expect(wav.peak > 0.2 && wav.peak <= 0.8913)
  }

  @Test(
    "reports a pattern or a kit that cannot be read",
    arguments: [
      (
        "--pattern /nowhere/beat.txt",
        "cannot read the pattern /nowhere/beat.txt: No such file or directory"
      ),
      (
        "--kit /nowhere",
        "/nowhere holds no sounds: put files such as kick.wav, snare.wav and hat.wav there"
      ),
    ])
  func errors(option: String, message: String) {
    let run = ProgramRun("DrumMachine", "--offline --seconds 1 --quiet \(option) </dev/null")
    #expect(run.status == 1)
    #expect(run.text.contains(message), "\(run.text)")
  }
}
