import MoTesting
import Testing

@Suite("Programs that speak MIDI")
struct MIDIProgramTests {
  private let folder = Scratch()

  /// What midicsv says of a file, a line each without its track and its spaces.
  private func events(_ file: String) -> [(tick: Int, words: [String])] {
    let run = ProgramRun(shell: "midicsv '\(folder.path)/\(file)'")
    #expect(run.status == 0, "midicsv is needed: sudo apt-get install midicsv")
    return run.lines.compactMap { line in
      let words = line.split(separator: ",").map { $0.filter { $0 != " " } }
      guard words.count > 2, let tick = Int(words[1]) else { return nil }
      return (tick, Array(words[2...]))
    }
  }

  @Test("TiltToMIDI writes notes, expression and bend into a file, the same at each run, and every note ends")
  func tilt() {
    for file in ["a.mid", "b.mid"] {
      let run = ProgramRun(
        "TiltToMIDI",
        "--accel sim:shake --midi-out file:'\(folder.path)/\(file)' --offline --seconds 10 --quiet")
      #expect(run.status == 0 && run.text.isEmpty, "\(run.text)")
    }
    let events = events("a.mid")
    let (on, off) = (
      events.filter { $0.words[0] == "Note_on_c" }, events.filter { $0.words[0] == "Note_off_c" }
    )
    #expect(on.count >= 10 && on.count == off.count)
    #expect(Set(on.map { $0.words[2] }).isSubset(of: Set((57...81).map(String.init))))
    #expect(
      events.contains { $0.words[0] == "Pitch_bend_c" } && events.contains { $0.words[0] == "Control_c" })
    #expect(ProgramRun(shell: "cmp '\(folder.path)/a.mid' '\(folder.path)/b.mid'").status == 0)
  }

  @Test("FluidSynth's loudness and pitch follow a tape's tilt, through controller 11 and bend")
  func fluidsynth() throws {
    let run = folder.run(
      """
      set -e
      python3 '\(outside("tilt.py"))' tape tilt.osc
      printf '%s\n' 'tilt-roll -45..45 -> cc11' 'tilt-pitch -45..45 -> bend -2..2' \
        'tilt-roll -90..90 -> note 69..69' 'tilt-roll -90..90 -> gate 0.8..0.8 above -80 below -85' >tilt.map
      momu midi gestures --accel tape:tilt.osc --mapping tilt.map --to file:tilt.mid --offline --quiet
      font=$(ls /usr/share/sounds/sf2/TimGM6mb.sf2)
      echo 'prog 0 79' >steady
      fluidsynth -F tilt.wav -ni -o player.reset-synth=0 -o synth.reverb.active=0 -o synth.chorus.active=0 \
        -r 44100 -f steady "$font" tilt.mid >fluid.log 2>&1 || { cat fluid.log; exit 1; }
      aubiopitch -i tilt.wav -u midi -p yinfft >pitches
      python3 '\(outside("tilt.py"))' follow tilt.wav pitches
      """)
    let words = run.text.split(whereSeparator: \.isWhitespace)
    try #require(
      run.status == 0 && words.count == 6,
      "fluidsynth, timgm6mb-soundfont and aubio-tools are needed: make test installs them; \(run.text)")
    // Over a range of 24 dB, and of 2.7 semitones.
    #expect(try #require(Double(words[1])) < 1.5, "\(run.text)")
    #expect(try #require(Double(words[3])) < 0.25 && (Int(words[5]) ?? 0) > 1500, "\(run.text)")
  }

  @Test(
    "a file that is being recorded is complete after a signal, and readable after a kill",
    arguments: ["SIGTERM", "SIGINT", "SIGKILL"])
  func killed(signal: String) {
    let run = ProgramRun(
      shell: "python3 '\(outside("killed_take.py"))' '\(ProgramRun.folder)' '\(folder.path)/a.mid' \(signal)")
    let expected: [Substring] = signal == "SIGKILL" ? ["kept type 1"] : ["kept type 0 held 0"]
    #expect(run.lines == expected, "\(run.text)")
    #expect(ProgramRun(shell: "midicsv '\(folder.path)/a.mid' >'\(folder.path)/a.csv'").status == 0)
  }

  @Test("a knob that is learned at the terminal is stored for its device, and is there at the next start")
  func learn() {
    let run = ProgramRun(alone: "python3 '\(outside("learn.py"))' '\(ProgramRun.folder)'")
    #expect(
      run.lines == ["[simulated keyboard] | tone cc74 -> brightness", "restored"],
      "\(run.text)")
  }

  @Test("--midi-trim sends everything so much later, within a tick of half a millisecond")
  func trim() {
    for (file, trim) in [("a.mid", 0), ("b.mid", 100)] {
      let run = ProgramRun(
        "TiltToMIDI",
        "--accel sim:shake --midi-out file:'\(folder.path)/\(file)' --midi-trim \(trim) --offline --seconds 5 --quiet"
      )
      #expect(run.status == 0, "\(run.text)")
    }
    func onsets(_ file: String) -> [Int] { events(file).filter { $0.words[0] == "Note_on_c" }.map(\.tick) }
    let (early, late) = (onsets("a.mid"), onsets("b.mid"))
    // 1,920 ticks are a second.
    #expect(!late.isEmpty && zip(early, late).allSatisfy { abs($1 - $0 - 192) <= 1 })
  }

  @Test("the piano plays what a MIDI file says: as many onsets as notes, at their times")
  func piano() {
    let song = [
      "0, 0, Header, 0, 1, 480", "1, 0, Start_track", "1, 0, Tempo, 500000",
      "1, 480, Note_on_c, 0, 60, 110", "1, 600, Note_off_c, 0, 60, 64", "1, 1440, Note_on_c, 0, 64, 110",
      "1, 1560, Note_off_c, 0, 64, 64", "1, 2400, Note_on_c, 0, 67, 110", "1, 2520, Note_off_c, 0, 67, 64",
      "1, 2880, End_track", "0, 0, End_of_file",
    ].joined(separator: "\n")
    let made = ProgramRun(shell: "csvmidi - '\(folder.path)/song.mid' <<'END'\n\(song)\nEND\n")
    #expect(made.status == 0, "csvmidi is needed: sudo apt-get install midicsv; \(made.text)")
    let run = ProgramRun(
      "momu",
      "play piano --midi file:'\(folder.path)/song.mid' --offline --audio wav:'\(folder.path)/a.wav' --quiet")
    #expect(run.status == 0 && run.text.isEmpty, "\(run.text)")
    let onsets = ProgramRun(shell: "aubioonset -i '\(folder.path)/a.wav'").lines.compactMap { Double($0) }
    #expect(
      onsets.count == 3 && zip(onsets, [0.5, 1.5, 2.5]).allSatisfy { abs($0 - $1) < 0.05 }, "\(onsets)")
  }

  @Test("momu play drum-machine leads by MIDI clock, and sends its strokes on the clock's beats")
  func leads() throws {
    let run = ProgramRun(
      "momu",
      "play drum-machine --tempo 97 --midi-clock lead --midi-out file:'\(folder.path)/a.mid' --offline --seconds 20 "
        + "--audio wav:'\(folder.path)/a.wav' --quiet")
    #expect(run.status == 0 && run.text.isEmpty, "\(run.text)")
    let events = events("a.mid")
    // midicsv shows real-time bytes as escaped packets.
    let clocks = events.filter { $0.words.suffix(2) == ["1", "248"] }.map(\.tick)
    let start = try #require(events.first { $0.words.suffix(2) == ["1", "250"] }).tick
    let first = try #require(clocks.first)
    #expect(start < first && start > first - 20)
    // 1,920 ticks are a second.
    let step = 1920 * 60 / (97.0 * 24)
    for (index, tick) in clocks.enumerated() {
      #expect(abs(Double(tick - first) - Double(index) * step) <= 1)
    }
    #expect(events.last { $0.words.count == 3 && $0.words[1] == "1" }?.words.last == "252")
    let strokes = events.filter { $0.words[0] == "Note_on_c" }
    #expect(Set(strokes.map { $0.words[1] }) == ["9"])
    #expect(Set(strokes.map { $0.words[2] }) == ["36", "38", "42"])
    for stroke in strokes {
      let sixteenth = Double(stroke.tick - first) / (6 * step)
      #expect(abs(sixteenth - sixteenth.rounded()) < 0.02)
    }
    let report = ProgramRun("momu", "midi clock --json file:'\(folder.path)/a.mid'")
    let facts = ProgramRun(
      shell: """
        '\(ProgramRun.folder)/momu' midi clock --json file:'\(folder.path)/a.mid' | python3 -c '
        import json, sys
        facts = json.loads(sys.stdin.read())
        print(abs(facts["tempo"] - 97) < 0.05, facts["jitterMilliseconds"] < 0.6, facts["lost"], facts["dropouts"])'
        """)
    #expect(facts.text == "True True 0 0\n", "\(facts.text) \(report.text)")
  }

  @Test("momu play arpeggio follows the clock of a recording, and sends its notes in the gear's time")
  func follows() throws {
    let lead = ProgramRun(
      "momu",
      "play drum-machine --tempo 97 --midi-clock lead --midi-out file:'\(folder.path)/gear.mid' --offline --seconds 12 "
        + "--audio wav:'\(folder.path)/a.wav' --quiet")
    #expect(lead.status == 0, "\(lead.text)")
    let run = ProgramRun(
      "momu",
      "play arpeggio --set wind=1 --midi file:'\(folder.path)/gear.mid' --midi-clock follow --midi-out "
        + "file:'\(folder.path)/b.mid' --offline --seconds 12 --audio wav:'\(folder.path)/a.wav' --quiet")
    #expect(run.status == 0 && run.text.isEmpty, "\(run.text)")
    let gear = events("gear.mid")
    let first = try #require(gear.first { $0.words.suffix(2) == ["1", "248"] }).tick
    let notes = events("b.mid").filter { $0.words[0] == "Note_on_c" && $0.tick > first + 4 * 1920 }
    #expect(notes.count > 30)
    for note in notes {
      // 4 ms of a sixteenth at most: a tick of either file is half a millisecond.
      let sixteenth = Double(note.tick - first) / (1920 * 15 / 97.0)
      #expect(abs(sixteenth - sixteenth.rounded()) < 0.026, "tick \(note.tick)")
    }
  }

  @Test("a tape becomes a MIDI file and comes back with the same messages")
  func convert() {
    let run = ProgramRun(
      shell: """
        cd '\(folder.path)' && momu='\(ProgramRun.folder)/momu'
        song=$(ls /usr/share/games/openttd/baseset/openmsx/*.mid | head -n 1)
        "$momu" midi convert "$song" a.osc 2>&1 && "$momu" midi convert a.osc b.mid 2>&1 && "$momu" midi convert b.mid c.osc 2>&1
        "$momu" midi convert c.osc d.mid 2>&1 && cmp b.mid d.mid && echo same
        midicsv "$song" | grep -c '_c,'; midicsv b.mid | grep -c '_c,'
        """)
    #expect(run.lines.contains("same"), "\(run.text)")
    #expect(run.lines.suffix(2).first == run.lines.last, "\(run.text)")
  }

  @Test("momu midi listen prints a line a message, and JSON that Python reads")
  func listen() {
    let text = ProgramRun("momu", "midi listen sim:scale --count 3 2>/dev/null")
    #expect(
      text.lines.first?.contains("simulated keyboard  channel 1  note-on C4 50") == true, "\(text.text)")
    let json = ProgramRun(
      shell: "'\(ProgramRun.folder)/momu' midi listen --json sim:scale --count 3 2>/dev/null | python3 -c '"
        + "import json, sys\nprint([json.loads(line)[\"bytes\"] for line in sys.stdin])'")
    #expect(json.text == "[[144, 60, 50], [176, 74, 0], [128, 60, 64]]\n", "\(json.text)")
  }

  @Test("momu midi send --help shows the messages, and a negative bend is one")
  func help() {
    let help = ProgramRun("momu", "midi send --help")
    #expect(help.status == 0 && help.text.contains("bend -8192..8191"), "\(help.text)")
    let bend = ProgramRun("momu", "midi send --to file:'\(folder.path)/a.mid' bend -8192")
    #expect(bend.status == 0, "\(bend.text)")
    #expect(events("a.mid").contains { $0.words == ["Pitch_bend_c", "0", "0"] })
  }

  @Test(
    "a truncated or inconsistent file and a broken mapping are named with the place of their fault",
    arguments: [
      (
        "head -c 60 song.mid >a.mid; momu midi play --to none a.mid",
        "cannot play a.mid: not a MIDI file at byte 18: "
          + "the chunk MTrk takes"
      ),
      ("echo hello >a.mid; momu midi inspect a.mid", "cannot play a.mid: not a MIDI file at byte 0: "),
      (
        "printf 'MThd\\0\\0\\0\\6\\0\\0\\0\\1\\0\\140MTrk\\0\\0\\0\\4\\0\\220\\377\\1' >a.mid; momu midi inspect a.mid",
        "a data byte is 0…127, this one is 255"
      ),
      (
        "echo 'tilt-roll -> cc200' >a.map; momu midi gestures --accel sim:tilt --to none --mapping a.map --seconds 1",
        "a.map, line 1: "
      ),
      (
        "printf 'jerk -> strike\\ntilt -> cc11\\n' >a.map; momu midi gestures --accel sim:tilt --to none --mapping a.map",
        "a.map, line 2: unknown source \"tilt\""
      ),
      ("momu play piano --midi sim:scale --midi-channel 17", "--midi-channel"),
    ])
  func broken(line: String, text: String) {
    let run = folder.run(
      "cp $(ls /usr/share/games/openttd/baseset/openmsx/*.mid | head -n 1) song.mid; \(line)")
    #expect(run.status != 0 && run.text.contains(text), "\(run.text)")
  }

  @Test(
    "what cannot be done is said with what to type",
    arguments: [
      (
        "momu", "midi send --to file:/nowhere/a.mid note C4",
        "cannot write /nowhere/a.mid: No such file or directory"
      ),
      ("momu", "midi send note H4", "\"H4\" is not a key: write C4, F#3 or 0 to 127"),
      ("momu", "midi send --channel 17 note C4", "channel 17 does not exist: MIDI has the channels 1 to 16"),
      ("momu", "midi convert a.mid b.mid", "one is a tape and the other a MIDI file"),
      (
        "momu", "midi inspect /nowhere.mid",
        "cannot read the MIDI file /nowhere.mid: No such file or directory"
      ),
      ("momu", "play piano --midi sim:tuba --audio none", "\"sim:tuba\" is not a source for --midi: use "),
      ("momu", "play piano --midi-clock swing --audio none", "lead or follow"),
      (
        "momu", "midi clock sim:scale --seconds 0.1",
        "no MIDI clock arrived from sim:scale: let the gear send"
      ),
      (
        "momu", "play piano --midi nano --offline --audio none", "--offline cannot use the MIDI port \"nano\""
      ),
    ])
  func refused(program: String, words: String, text: String) {
    let run = ProgramRun(program, words)
    #expect(run.status != 0 && run.text.contains(text), "\(run.text)")
  }

  @Test(
    "a program that cannot obey --midi or --midi-clock warns of it and plays on",
    arguments: [
      (
        "ShakeDrum", "--accel sim:shake --midi-clock follow",
        "--midi-clock has no effect: this program has no rhythm"
      ),
      (
        "OSCSynth", "--midi sim:scale",
        "--midi has no effect: this program reads no MIDI; momu play piano --midi"
      ),
    ])
  func unobeyed(program: String, words: String, text: String) {
    let run = ProgramRun(program, "\(words) --audio none --seconds 0.1 --quiet")
    #expect(run.status == 0 && run.lines.count == 1 && run.text.contains(text), "\(run.text)")
  }

  @Test(
    "each example for a room leads gear with --midi-clock lead",
    arguments: ["Duet", "Echo", "Neighbour", "Orchestra"])
  func obeyed(program: String) {
    let run = ProgramRun(
      program,
      "--midi-clock lead --midi-out file:'\(folder.path)/a.mid' --offline --seconds 1 --audio virtual --quiet"
    )
    #expect(run.status == 0 && run.text.isEmpty, "\(run.text)")
  }

  @Test("a program that waits in vain for MIDI clock says what to switch on, once")
  func waitsForClock() {
    let run = ProgramRun(
      "momu",
      "play arpeggio --midi none --midi-clock follow --offline --seconds 8 --audio virtual --accel sim:shake")
    let lines = run.lines.filter { $0.contains("No MIDI clock has arrived yet") }
    #expect(run.status == 0 && lines.count == 1, "\(run.text)")
  }

  @Test("two renders of a song are bit-identical, and sound")
  func rendersTwice() {
    let run = folder.run(
      """
      song=$(ls /usr/share/games/openttd/baseset/openmsx/*.mid | head -n 1)
      for file in a b; do
        momu play piano --midi "file:$song" --offline --seconds 20 --audio wav:$file.wav --quiet || exit 1
      done
      cmp a.wav b.wav && sox a.wav -n stat 2>&1 | awk '/RMS.*amplitude/ { print ($3 > 0.001) }'
      """)
    #expect(run.lines == ["1"], "\(run.text)")
  }

  @Test(
    "a source that cannot be read leaves no new file behind, and an earlier take as it is",
    arguments: ["record take.mid tape:/nowhere.osc", "play --to file:take.mid /nowhere.mid"])
  func keepsTake(words: String) {
    let run = folder.run(
      "momu midi \(words) 2>said; echo $?; ls; echo earlier >take.mid; momu midi \(words) 2>said; cat take.mid"
    )
    #expect(run.lines == ["1", "said", "earlier"], "\(run.text)")
  }
}
