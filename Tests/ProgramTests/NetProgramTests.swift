import MoTesting
import Testing

@Suite("Programs on the network")
struct NetProgramTests {
  @Test(
    "a bundle for a future time sounds at its exact frame, not before", arguments: [60_000, 60_001, 71_999])
  func exactFrame(frame: Int) {
    let folder = Scratch()
    // It arrives at 0.5 s; its time tag is the frame's own time, rounded up to the nanosecond.
    #expect(
      ProgramRun(shell: "python3 '\(outside("notes.py"))' '\(folder.path)/a.osc' 0.5 \(frame)").status == 0)
    let run = ProgramRun(
      "OSCSynth",
      "--offline --net tape:\(folder.path)/a.osc --audio wav:\(folder.path)/a.wav --seconds 2 --check-realtime"
    )
    #expect(run.status == 0, "\(run.text)")
    let first = ProgramRun(shell: "python3 '\(outside("first_sound.py"))' '\(folder.path)/a.wav'")
    #expect(first.text == "\(frame)\n")
  }

  @Test("a ninth note of OSCSynth, which replaces the oldest note, does not click")
  func ninthNote() throws {
    let notes = TapedExample("OSCSynth", (0..<16).map { "\(0.5 + 0.125 * Double($0)) /note ff 60 0.3" })
    let run = notes.run("--net", "--seconds 3")
    #expect(run.status == 0, "\(run.text)")
    let sound = try notes.sound()
    // A click is a corner, at which the second difference is largest.
    func corner(_ from: Double, _ to: Double) -> Float {
      let samples = sound.samples(from, to)
      return samples.indices.dropFirst().dropLast().map { frame in
        abs(samples[frame - 1] - 2 * samples[frame] + samples[frame + 1])
      }.max() ?? 0
    }
    #expect(sound.rms(0.6, 1.4) > 0.01)
    #expect(corner(1.45, 3) < corner(0, 1.45) + 0.01)
  }

  @Test("reports a port that is taken, the program that holds it, and what to type")
  func portTaken() {
    let program = "'\(ProgramRun.folder)/OSCHello'"
    let run = ProgramRun(shell: "python3 '\(outside("hold_port.py"))' udp \(program) --quiet --net udp:PORT")
    #expect(run.status == 1)
    #expect(
      run.text.replacing(/[0-9]+/, with: "N")
        == "port N is taken by tuning-fork: close it, or listen on another port with --net udp:N "
        + "(momu doctor shows which program has it)\n")
  }

  @Test("say hello to themselves, and report what is wrong with a message of the wrong type")
  func hello() {
    let run = ProgramRun(
      alone: """
        cd "$TMPDIR"; '\(ProgramRun.folder)/OSCHello' --net udp:56449 >said 2>&1 & hello=$!
        n=0; until grep -q 'The answer' said || [ $n -ge 20000 ]; do n=$((n + 1)); done
        kill -INT $hello; wait $hello; status=$?; cat said; exit $status
        """)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("World says hello from 127.0.0.1:56449\n"))
    #expect(run.text.contains("The answer: Hello, World!\n"))
  }

  @Test(
    "under nohup, continue after SIGHUP",
    arguments: [
      ("OSCHello --net udp:56449", "The answer"), ("momu osc listen --port 56449", "listening"),
    ])
  func hangUp(command: String, ready: String) {
    let run = ProgramRun(
      alone: """
        await() { n=0; until grep -q "$1" said || [ $n -ge 20000 ]; do n=$((n + 1)); done; }
        cd "$TMPDIR"; nohup '\(ProgramRun.folder)'/\(command) >said 2>&1 & program=$!
        await '\(ready)'; kill -HUP $program; oscsend localhost 56449 /hello s Anna; await Anna
        kill -TERM $program; wait $program; status=$?; cat said; exit $status
        """)
    #expect(run.status == 0 && run.text.contains("Anna"), "\(run.text)")
  }

  @Test("refuse an invalid address at the start", arguments: ["OSCSynth"])
  func wrongSource(program: String) {
    let run = ProgramRun(program, "--net tape:/nowhere.osc --seconds 1")
    #expect(run.status == 1)
    #expect(run.text.contains("/nowhere.osc"))
  }
}
