import MoMu
import MoTesting
import Testing

@Suite("The program Piano")
struct PianoProgramTests {
  private let folder = Scratch()
  private let font = "/usr/share/sounds/sf2/TimGM6mb.sf2"

  private func render(_ file: String, _ more: String = "") -> ProgramRun {
    ProgramRun("Piano", "--offline --seconds 4 --quiet --audio wav:'\(folder.path)/\(file)'", more)
  }

  @Test("without devices it plays by itself, with the same bytes each time, and without waiting for anything")
  func tune() {
    #expect(render("a.wav", "--check-realtime").status == 0)
    #expect(render("b.wav").status == 0)
    #expect(ProgramRun(shell: "cmp '\(folder.path)/a.wav' '\(folder.path)/b.wav'").status == 0)
    let wav = Wav("\(folder.path)/a.wav")
    #expect(wav.channels == 2 && wav.frames == 192_000)
    #expect(wav.peak > 0.05 && wav.peak < 0.9)
  }

  @Test("a SoundFont plays the same tune with other sounds; live, FluidSynth stays out of the callback")
  func soundFont() {
    #expect(render("a.wav").status == 0 && render("f.wav", "--soundfont \(font)").status == 0)
    #expect(ProgramRun(shell: "cmp '\(folder.path)/a.wav' '\(folder.path)/f.wav'").status == 1)
    #expect(Wav("\(folder.path)/f.wav").peak > 0.02)
    let live = ProgramRun("Piano", "--audio virtual --seconds 1 --quiet --check-realtime --soundfont \(font)")
    #expect(live.status == 0, "\(live.text)")
  }

  @Test("in a room it reports that its own tempo is ignored; alone it reports nothing")
  func tempo() {
    func text(_ words: String) -> String {
      ProgramRun(
        shell: "unshare --net sh -c 'ip link set lo up && XDG_STATE_HOME=\(folder.path) exec "
          + "\(ProgramRun.folder)/Piano --tempo 96 --audio virtual --seconds 1 \(words) </dev/null'"
      ).text
    }
    let remark = "in a room --tempo has no effect: the conductor sets the tempo"
    #expect(text("--room Lab").contains(remark))
    #expect(!text("").contains("--tempo"))
  }

  @Test(
    "a wrong tempo ends the program with the option or the variable that holds it",
    arguments: [("", "--tempo 5", "--tempo"), ("MOMU_TEMPO=5", "", "MOMU_TEMPO")])
  func wrongTempo(variable: String, option: String, source: String) {
    let run = ProgramRun("Piano", "--audio none --seconds 1 \(option) </dev/null", before: variable)
    #expect(run.text == "\(source) is \"5\", but must be a number from 20 to 999\n")
    #expect(run.status == 1)
  }

  @Test("a missing SoundFont ends the program with what to type")
  func missing() {
    let run = render("n.wav", "--soundfont /nowhere.sf2")
    #expect(run.status == 1)
    #expect(
      run.text
        == "cannot open the SoundFont /nowhere.sf2: No such file or directory; to install a small one, type sudo apt install "
        + "timgm6mb-soundfont, then --soundfont /usr/share/sounds/sf2/TimGM6mb.sf2\n")
  }
}
