import Glibc
import MoMu
import MoTesting
import Testing

@Suite("momu play")
struct PlayTests {
  /// Runs `momu play` with these arguments; returns its file and the samples of the first channel.
  private func sound(
    _ words: String, variables: String = "", before: (String) throws -> Void = { _ in }
  ) throws -> [Float] {
    let folder = Scratch()
    try before(folder.path)
    let run = folder.run("\(variables) momu play \(words) --offline --audio wav:a.wav")
    #expect(run.status == 0, "\(run.text)")
    let buffer = try SoundBuffer(folder.file("a.wav"))
    return (0..<buffer.frames).map { buffer[$0] }
  }

  /// Returns the first frames of sounds after at least 10 ms of silence.
  private func onsets(_ samples: [Float]) -> [Int] {
    var found: [Int] = []
    var silent = 480
    for (frame, sample) in samples.enumerated() {
      if abs(sample) > 1e-5 {
        if silent >= 480 { found.append(frame) }
        silent = 0
      } else {
        silent += 1
      }
    }
    return found
  }

  /// Frames from an event's time to its sound.
  ///
  /// The limiter delays an event that arrives at its own time by a millisecond, and a sound needs less than another to
  /// rise. An event that is known in advance, such as a grid line, sounds exactly at its time.
  private static let soon = 0..<96

  @Test("notes last a beat each, are in tune, and are the same in every run")
  func notes() throws {
    let words = "tone --notes 'A4 - E5' --tempo 60 --seed 1"
    let samples = try sound(words)
    // The sound continues for two seconds after the last beat.
    #expect(samples.count == 5 * 48_000)
    let begins = onsets(samples)
    #expect(begins.count == 2)
    for (begin, beat) in zip(begins, [0, 2]) { #expect(Self.soon.contains(begin - beat * 48_000)) }
    let pitches = [(0, 440.0), (2, 659.2551)]
    for (beat, hertz) in pitches {
      let held = Array(samples[(beat * 48_000 + 9600)..<(beat * 48_000 + 28_800)])
      let found = try #require(
        AudioMeasures.pitch(held, sampleRate: 48_000, within: hertz * 0.94...hertz * 1.06))
      #expect(abs(1200 * log2(found / hertz)) < 3)
    }
    #expect(try sound(words) == samples)
  }

  @Test("notes may begin with a rest, whose dash is not read as an option")
  func rest() throws {
    let begins = try [sound("tone --notes '- A4' --tempo 60"), sound("tone --notes='- A4' --tempo 60")].map(
      onsets)
    #expect(begins[0] == begins[1])
    #expect(begins[0].count == 1 && Self.soon.contains(begins[0][0] - 48_000))
  }

  @Test(
    "an instrument that needs a rhythm gets one at 120 beats per minute", arguments: ["drum-machine", "band"])
  func rhythm(name: String) throws {
    let samples = try sound("\(name) --seconds 3 --seed 1")
    #expect(AudioMeasures.peak(samples) > 0.05)
    #expect(try sound("\(name) --seconds 3 --seed 1 --tempo 120") == samples)
  }

  @Test("the accelerometer of the configuration file moves the instrument")
  func configured() throws {
    let samples = try sound("shaker --seconds 3 --seed 1", variables: "XDG_CONFIG_HOME=\"$PWD\"") { folder in
      _ = ProgramRun(
        shell: "mkdir '\(folder)/momu' && echo '{\"accel\": \"sim:shake\"}' > '\(folder)/momu/config.json'")
    }
    #expect(AudioMeasures.peak(samples) > 0.01)
  }

  @Test("--set changes the sound, and clamps a value out of range with a remark")
  func settings() throws {
    let plain = try sound("tone --notes A4 --tempo 120")
    let soft = try sound("tone --notes A4 --tempo 120 --set loudness=0.4")
    // The gain is the square of the loudness.
    #expect(abs(AudioMeasures.rms(soft) / AudioMeasures.rms(plain) - 0.25) < 0.001)
    let run = ProgramRun("momu", "play tone --notes A4 --set brightness=9 --offline --audio none")
    #expect(run.lines.first == "tone's brightness goes from 0.00 to 1.00: 9.00 counts as 1.00")
    #expect(run.status == 0)
  }

  @Test("a tape of messages plays the instrument at exact frames")
  func tape() throws {
    let samples = try sound("tone --net tape:t.osc --seconds 2") { folder in
      let tape = try OSCTapeWriter(
        path: folder + "/t.osc", startNanosecondsSince1970: 1_700_000_000_000_000_000, madeBy: "test")
      try tape.write(OSCMessage("/momu/tone/brightness", [.float(1)]), atNanoseconds: 100_000_000)
      try tape.write(OSCMessage("/momu/tone/note", [.float(69), .float(0.8)]), atNanoseconds: 500_000_000)
      try tape.write(OSCMessage("/momu/tone/note", [.float(69), .float(0)]), atNanoseconds: 700_000_000)
      try tape.write(OSCMessage("/momu/tone/strike", [.float(0.5)]), atNanoseconds: 1_500_000_000)
      try tape.close()
    }
    let begins = onsets(samples)
    #expect(begins.count == 2)
    for (begin, frame) in zip(begins, [24_000, 72_000]) { #expect(Self.soon.contains(begin - frame)) }
  }

  @Test("with --grid, a note waits for its nearest line, or sounds immediately after it or without a rhythm")
  func grid() throws {
    func onset(_ words: String) throws -> Int {
      let samples = try sound("tone --net tape:t.osc --seconds 2 \(words)") { folder in
        let tape = try OSCTapeWriter(
          path: folder + "/t.osc", startNanosecondsSince1970: 1_700_000_000_000_000_000, madeBy: "test")
        try tape.write(OSCMessage("/momu/tone/note", [.float(69), .float(0.8)]), atNanoseconds: 730_000_000)
        try tape.close()
      }
      return try #require(onsets(samples).first)
    }
    #expect(Self.soon.contains(try onset("--grid 16") - 35_040))
    // A sixteenth at 120 beats per minute is 6,000 frames.
    #expect((36_000..<36_048).contains(try onset("--grid 16 --tempo 120")))
    // The beat at 24,000 is nearer than that at 48,000.
    #expect(Self.soon.contains(try onset("--grid 4 --tempo 120") - 35_040))
    let run = ProgramRun("momu", "play tone --grid often --offline --audio none")
    #expect(run.status == 1)
    #expect(run.text.hasPrefix("cannot read \"often\" in the grid \"often\": write a note (4, 8, 16, 32;"))
  }

  @Test("a SoundFont replaces only the piano, and a missing file is named")
  func soundFont() throws {
    let font = "--soundfont /usr/share/sounds/sf2/TimGM6mb.sf2"
    let recorded = try sound("piano --notes C4 \(font) --set preset=0")
    #expect(AudioMeasures.peak(recorded) > 0.01)
    #expect(try sound("piano --notes C4") != recorded)
    let missing = ProgramRun("momu", "play piano --soundfont /nowhere.sf2 --offline --audio none")
    #expect(missing.status == 1)
    #expect(missing.text.hasPrefix("cannot open the SoundFont /nowhere.sf2: No such file or directory;"))
    let other = ProgramRun("momu", "play harp \(font)")
    #expect(
      other.text.contains(
        "--soundfont FILE replaces the piano's sound: type momu play piano --soundfont FILE"))
  }

  @Test("in a room, follows the room's rhythm, and others see its name")
  func room() {
    // Wait until each has printed its lines, which takes longer on a busy machine.
    let run = ProgramRun(
      alone: """
        cd "$TMPDIR"; touch bo ann
        await() { n=0; until "$@"; do n=$((n + 1)); [ $n -lt 20000 ] || { echo "gave up: $*"; return 1; }; done; }
        momu='\(ProgramRun.folder)/momu'
        "$momu" play band --room Lab --name Bo --audio virtual >bo 2>&1 & bo=$!
        XDG_STATE_HOME=$TMPDIR/anns "$momu" session --room Lab --name Ann --conduct >ann 2>&1 & ann=$!
        await grep -q 'Bo is here' ann; await grep -q 'in the room Lab' bo
        kill -INT $ann; wait $ann; kill -INT $bo; wait $bo; echo "status $?"; cat ann bo
        """)
    #expect(run.text.contains("Bo is here") && run.text.contains("status 0"), "\(run.text)")
    let hint = "in the room Lab: Enter starts its rhythm if none runs"
    #expect(run.text.contains(hint), "\(run.text)")
    let nameless = ProgramRun("momu", "play tone --name Bo")
    #expect(nameless.text.contains("--name NAME needs a room: add --room NAME"))
    let unnamed = ProgramRun("momu", "play tone --name Bo", before: "MOMU_ROOM=")
    #expect(unnamed.text.contains("--name NAME needs a room: add --room NAME"))
  }

  @Test("joins the room that MOMU_ROOM names, with the name and the passkey of the command line")
  func roomVariable() {
    let run = ProgramRun(
      alone: "MOMU_ROOM=Lab '\(ProgramRun.folder)/momu' play tone --name Bo --passkey 'brass 7 lantern' "
        + "--audio virtual --seconds 0.5")
    #expect(run.status == 0 && run.text.contains("in the room Lab: Enter starts its rhythm"), "\(run.text)")
  }

  @Test("the harp of the README sounds when the simulated player tilts it")
  func tilted() throws {
    #expect(AudioMeasures.peak(try sound("harp --accel sim:tilt --seconds 3 --seed 1")) > 0.01)
  }

  @Test("a tape of movement plays the instrument by its mapping, and a tape without movement is silent")
  func movement() throws {
    #expect(AudioMeasures.peak(try sound("tone --accel sim:shake --seconds 3 --seed 1")) > 0.01)
    #expect(AudioMeasures.peak(try sound("tone --accel sim:still --seconds 3 --seed 1")) == 0)
  }

  @Test("the list has every instrument, and a page has every parameter")
  func list() {
    let list = ProgramRun("momu", "instruments")
    #expect(list.lines.contains { $0.hasPrefix("tone ") })
    #if STK
      for name in ["stk-shakers", "stk-mandolin", "stk-clarinet", "stk-rhodey", "stk-bars", "stk-bowed-bars"]
      {
        #expect(list.lines.contains { $0.hasPrefix("\(name) ") })
      }
    #else
      #expect(!list.text.contains("stk"))
    #endif
    let page = ProgramRun("momu", "instruments tone").text
    for word in ["brightness", "softness", "loudness", "plays C1 to C8"] { #expect(page.contains(word)) }
  }
}
