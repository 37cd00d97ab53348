import Glibc
import MoTesting
import Testing

@Suite("The program ShakeDrum")
struct ShakeDrumTests {
  private let folder = Scratch()

  private func hits(_ file: String) -> [Double] { drumHits("\(folder.path)/\(file)") }

  private func render(_ accel: String, to file: String, _ more: String = "") -> ProgramRun {
    ProgramRun(
      "ShakeDrum", "--accel", accel, "--audio", "wav:'\(folder.path)/\(file)'", "--offline", "--seed 1",
      "--quiet",
      more)
  }

  @Test("two shakes per second for ten seconds give 20 hits, with the same bytes each time")
  func shakes() throws {
    #expect(render("sim:shake", to: "a.wav", "--seconds 10").status == 0)
    #expect(render("sim:shake", to: "b.wav", "--seconds 10").status == 0)
    #expect(hits("a.wav").count == 20)
    #expect(ProgramRun(shell: "cmp '\(folder.path)/a.wav' '\(folder.path)/b.wav'").status == 0)
    let wav = Wav("\(folder.path)/a.wav")
    #expect(wav.channels == 2 && wav.rate == 48_000 && wav.frames == 480_000)
    #expect(wav.peak > 0.3 && wav.peak < 1)
  }

  @Test("the rattle between two strokes is audible, 10 to 30 dB below the drum")
  func rattle() throws {
    #expect(render("sim:shake", to: "a.wav", "--seconds 10").status == 0)
    // Above 1 kHz there are the shaker and, for about 50 ms, the drum's attack; a stroke comes every half
    // second.
    let run = ProgramRun(
      shell: "for band in 'highpass 1000' 'lowpass 500'; do sox '\(folder.path)/a.wav' -c 1 -t wav - $band | "
        + "sox -t wav - -n stats 2>&1 | awk '/^RMS lev/ { print $4 }'; done")
    let levels = run.lines.compactMap { Double($0) }
    try #require(levels.count == 2, "\(run.text)")
    #expect((-30.0...(-10)).contains(levels[0] - levels[1]), "\(levels)")
  }

  @Test("a run reports the length and the peak of its file, and that a file is silent")
  func report() {
    let path = "\(folder.path)/r.wav"
    let loud = ProgramRun(
      "ShakeDrum", "--accel sim:shake --audio wav:'\(path)' --offline --seed 1 --seconds 2")
    let peak = ProgramRun(
      shell: "sox -t wav '\(path)' -n stats 2>&1 | awk '/^Pk lev/ { printf \"%.0f\", $4 }'"
    ).text
    #expect(loud.lines.last?.hasSuffix("r.wav: 2.0 s, peak \(peak) dB") == true, "\(loud.text), \(peak)")
    let still = ProgramRun(
      "ShakeDrum", "--accel sim:still --audio wav:'\(path)?latency=40' --offline --seconds 1")
    #expect(
      still.lines.last?.hasSuffix("r.wav: 1.0 s of silence: no reading and no key caused a sound") == true,
      "\(still.text)")
    let live = ProgramRun("ShakeDrum", "--accel sim:shake --audio wav:'\(path)' --seconds 1")
    #expect(live.lines.last?.contains(/r\.wav: \d+(\.\d)? s, peak -\d+ dB$/) == true, "\(live.text)")
    let virtual = ProgramRun("ShakeDrum", "--accel sim:shake --audio virtual --offline --seconds 1")
    #expect(!virtual.text.contains("peak"), "\(virtual.text)")
  }

  @Test("another seed rattles differently")
  func seeds() {
    _ = render("sim:shake", to: "a.wav", "--seconds 2")
    let other = ProgramRun(
      "ShakeDrum",
      "--accel sim:shake --audio wav:'\(folder.path)/c.wav' --offline --seed 2 --quiet --seconds 2")
    #expect(other.status == 0)
    #expect(ProgramRun(shell: "cmp '\(folder.path)/a.wav' '\(folder.path)/c.wav'").status == 1)
  }

  @Test("irregular shakes on a foreign tape sound at their times, each once", arguments: 1...6)
  func tape(seed: Int) throws {
    let made = ProgramRun(shell: "python3 '\(outside("tape.py"))' '\(folder.path)/t.osc' shakes \(seed)")
    let shakes = made.text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    try #require(shakes.count >= 6)
    let run = render("tape:'\(folder.path)/t.osc'", to: "t.wav")
    #expect(run.status == 0 && run.text.isEmpty, "\(run.text)")
    let hits = hits("t.wav")
    for shake in shakes {
      #expect(hits.contains { abs($0 - shake) < 0.06 }, "none at \(shake) in \(hits)")
    }
    #expect(hits.count == shakes.count, "\(hits) for \(shakes)")
    #expect(hits.allSatisfy { hit in shakes.contains { hit - $0 > -0.01 && hit - $0 < 0.1 } })
  }

  @Test("a tape of noise has no hits, and a still tape is silent", arguments: [1, 2, 3])
  func noise(seed: Int) {
    _ = ProgramRun(shell: "python3 '\(outside("tape.py"))' '\(folder.path)/n.osc' noise \(seed)")
    #expect(render("tape:'\(folder.path)/n.osc'", to: "n.wav").status == 0)
    #expect(hits("n.wav").isEmpty)
    _ = ProgramRun(shell: "python3 '\(outside("tape.py"))' '\(folder.path)/s.osc' still \(seed)")
    #expect(render("tape:'\(folder.path)/s.osc'", to: "s.wav").status == 0)
    #expect(Wav("\(folder.path)/s.wav").peak == 0)
  }

  @Test("a recorded tape plays back the same sound")
  func recorded() {
    let tape = "\(folder.path)/r.osc"
    _ = render("sim:shake", to: "a.wav", "--seconds 4 --record-tape '\(tape)'")
    _ = render("tape:'\(tape)'", to: "b.wav", "--seconds 4")
    #expect(ProgramRun(shell: "cmp '\(folder.path)/a.wav' '\(folder.path)/b.wav'").status == 0)
  }

  @Test("its callback passes the real-time check")
  func realTime() {
    let run = ProgramRun(
      "ShakeDrum", "--accel sim:shake --audio virtual --offline --seconds 60 --check-realtime --quiet")
    #expect(run.status == 0, "\(run.text)")
  }

  @Test("a truncated tape plays to its end with a warning, and a file that is not a tape is refused")
  func badTapes() {
    _ = ProgramRun(shell: "python3 '\(outside("tape.py"))' '\(folder.path)/t.osc' shakes 1")
    _ = ProgramRun(shell: "head -c 30010 '\(folder.path)/t.osc' > '\(folder.path)/cut.osc'")
    let cut = render("tape:'\(folder.path)/cut.osc'", to: "cut.wav")
    #expect(cut.status == 0)
    #expect(cut.text.contains("\(folder.path)/cut.osc"), "\(cut.text)")
    #expect(cut.lines.count == 1)
    _ = ProgramRun(shell: "echo 'no tape, but a longer text than four bytes' > '\(folder.path)/x.osc'")
    let none = render("tape:'\(folder.path)/x.osc'", to: "x.wav")
    #expect(none.status == 1)
    #expect(none.lines.count == 1 && none.text.contains("\(folder.path)/x.osc"), "\(none.text)")
    let missing = render("tape:/nonexistent.osc", to: "y.wav")
    #expect(missing.status == 1)
    #expect(
      missing.text
        == "cannot read the tape /nonexistent.osc: No such file or directory; check the path, or record one with "
        + "--record-tape /nonexistent.osc\n")
  }
}
