import Glibc
import MoCore
import MoMu
import MoMuTool
import MoOrchestra
import MoSessionCore
import MoSessionSimulation
import MoTesting
import Testing

/// A simulated evening of the virtual orchestra, on one member's tape.
struct RecordedSession {
  /// The time of each note that the member heard, in nanoseconds from the tape's start, which another program must
  /// find.
  private(set) var notes: [Int64] = []
  private(set) var players: Set<MemberID> = []

  /// Plays in virtual time for the given seconds, and writes the tape of a member.
  ///
  /// There is a note every other second, each from another player, an eighth long.
  init(seconds: Double, path: String, seed: UInt64 = 4) throws {
    var orchestra = VirtualOrchestra.room(4, on: .goodWiFi, seed: seed)
    let start = orchestra.host(1)
    let entries = Locked<[SessionTapeEntry]>([])
    orchestra.watch(1) { core, now in
      let new = core.takeTape(at: now)
      entries.withLock { $0 += new }
    }
    _ = orchestra.act(1) { core, _ in core.isRecorded = true }
    let tape = try OSCTapeWriter(
      path: path, startNanosecondsSince1970: 1_800_000_000_000_000_000, madeBy: "the virtual orchestra",
      survivesPowerCut: false)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.start(SessionCore.Beginning(), now: now)
    }
    var round = 0
    let end = orchestra.seconds + seconds
    while orchestra.seconds < end - 3 {
      orchestra.run(to: orchestra.seconds + 2)
      if round % 300 == 150 {
        let tempo = 90 + Double(round % 7) * 10
        _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
          try core.setTempo(tempo, over: 8, now: now)
        }
      }
      let pitch = Float(48 + round % 24)
      _ = try orchestra.act(round % 4) { core, now throws(SessionRefusal) in
        try core.play(
          .note(SessionNote(pitch: pitch, velocity: 0.9, length: 0.5)), to: .crowd(.everyone),
          at: .next(.sixteenth),
          now: now)
      }
      round += 1
      try write(entries.take(), to: tape, from: start)
    }
    orchestra.run(to: end)
    try write(entries.take(), to: tape, from: start)
    try tape.close()
  }

  private mutating func write(
    _ entries: [SessionTapeEntry], to tape: OSCTapeWriter, from start: HostTime
  ) throws {
    for entry in entries {
      let nanoseconds = entry.time.nanoseconds - start.nanoseconds
      try tape.write(entry.message(from: start), atNanoseconds: nanoseconds)
      guard case .heard(let heard) = entry.note, case .note = heard.play, heard.late == 0 else { continue }
      notes.append(heard.time.nanoseconds - start.nanoseconds)
      players.insert(heard.from)
    }
  }

}

extension Locked<[SessionTapeEntry]> {
  fileprivate func take() -> [SessionTapeEntry] {
    withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}

@Suite("momu session replay", .serialized)
struct ReplayTests {
  private let outside = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Outside"

  private func withFolder(_ body: (String) throws -> Void) throws {
    try withExtendedLifetime(Scratch()) { try body($0.path) }
  }

  /// The usual run plays a minute; MOMU_EVENING_SECONDS sets another length, such as 3600 for an hour.
  static let seconds = getenv("MOMU_EVENING_SECONDS").flatMap { Double(String(cString: $0)) } ?? 60

  @Test(
    "renders an evening to the same bytes each time, with each note at the frame that another program computes"
  )
  func evening() throws {
    try withFolder { folder in
      let recording = try RecordedSession(seconds: Self.seconds, path: "\(folder)/evening.osc")
      #expect(recording.notes.count >= Int(Self.seconds / 2) - 4)
      #expect(recording.players.count == 4)
      for name in ["a", "b"] {
        let run = ProgramRun(
          shell: "cd '\(folder)' && '\(ProgramRun.folder)/momu' session replay evening.osc tone --offline "
            + "--audio wav:\(name).wav --seed 1 --set softness=0.005")
        // Its length is that of the last sound, a few seconds less than the evening's.
        let line = "\(name).wav: \(Self.seconds < 600 ? "0:" : "")"
        #expect(
          run.status == 0 && run.text.hasPrefix(line)
            && run.text.hasSuffix("dB; tone \(recording.notes.count) notes\n"),
          "\(run.text)")
      }
      #expect(ProgramRun(shell: "cmp '\(folder)/a.wav' '\(folder)/b.wav' && echo same").text == "same\n")
      // Python's own readers find the tape's notes, and the first frame of each sound.
      let check = ProgramRun(
        shell: "python3 '\(outside)/notes_of_tape.py' '\(folder)/evening.osc' '\(folder)/a.wav'")
      #expect(check.text == "\(recording.notes.count) notes, all at their frames\n", "\(check.text)")
    }
  }

  @Test("two renderings without a seed are the same, even of a randomly plucked string")
  func unseeded() throws {
    try withFolder { folder in
      _ = try RecordedSession(seconds: 8, path: "\(folder)/e.osc")
      for name in ["a", "b"] {
        let run = ProgramRun(
          shell: "cd '\(folder)' && '\(ProgramRun.folder)/momu' session replay e.osc harp --offline "
            + "--audio wav:\(name).wav")
        #expect(run.status == 0 && run.text.contains("; harp "), "\(run.text)")
      }
      #expect(
        ProgramRun(shell: "cd '\(folder)' && cmp a.wav b.wav && test -s a.wav && echo same").text == "same\n")
    }
  }

  @Test("real time plays the same notes as offline, and ends after the last has died away")
  func live() throws {
    try withFolder { folder in
      let recording = try RecordedSession(seconds: 16, path: "\(folder)/e.osc")
      #expect(recording.notes.count >= 4)
      for (name, words) in [("offline", "--offline"), ("live", "")] {
        let run = ProgramRun(
          shell:
            "cd '\(folder)' && '\(ProgramRun.folder)/momu' session replay e.osc tone --set softness=0.005 "
            + "--quiet --audio wav:\(name).wav \(words) </dev/null"
        )
        #expect(run.status == 0 && run.text == "", "\(run.text)")
      }
      let check = ProgramRun(
        shell: "cd '\(folder)' && python3 '\(outside)/replayed.py' e.osc offline.wav live.wav")
      let count = recording.notes.count
      #expect(
        check.text
          == "offline.wav: \(count) notes, those of the tape\nlive.wav: \(count) notes, those of the tape\n")
    }
  }

  @Test("records a piano, a harp and Orchestra's reed, and plays each part on its own instrument")
  func parts() {
    let run = ProgramRun(shell: "unshare --net python3 '\(outside)/parts.py' '\(ProgramRun.folder)'")
    #expect(
      run.text == """
        Ada sounds here alone: ['Ben', 'Cyd']
        Ben sounds here alone: ['Ada', 'Cyd']
        Cyd sounds here alone: ['Ada', 'Ben']
        part    harp: 1 note
        part    piano: 1 note
        part    reed: 2 notes
        the note in the rhythm is on a sixteenth: True
        0 evening.wav: TIME, LEVEL; reed 2 notes, harp 1 note, piano 1 note
        pitch 60 is there: True and sounds like the piano
        pitch 64 is there: True and sounds like the harp
        pitch 67 is there: True and sounds like the reed
        pitch 72 is there: True and sounds like the reed
        the same again: True
        Ben alone: 0 1
        1 nothing on quiet.osc can be played False
        1 quiet.wav is silent

        """)
  }

  @Test("summarises a tape, and lists it line by line")
  func summary() throws {
    try withFolder { folder in
      _ = try RecordedSession(seconds: 20, path: "\(folder)/e.osc")
      let told = ProgramRun(shell: "cd '\(folder)' && '\(ProgramRun.folder)/momu' session replay e.osc")
      #expect(told.status == 0)
      let lines = told.lines
      #expect(
        lines.first?.hasPrefix("e.osc: 0:1") == true || lines.first?.hasPrefix("e.osc: 0:20") == true,
        "\(told.text)")
      #expect(
        lines.first?.contains("begun 2027-01-15 08:00 UTC, made by the virtual orchestra") == true,
        "\(told.text)")
      #expect(lines.contains("  room    Lab"))
      #expect(lines.contains { $0.hasPrefix("  played  p1: ") && $0.hasSuffix(" notes") })
      #expect(lines.contains { $0.hasPrefix("  rhythm  ") && $0.hasSuffix("120 beats per minute in 4/4") })
      let list = ProgramRun(
        shell: "cd '\(folder)' && '\(ProgramRun.folder)/momu' session replay e.osc --list")
      #expect(list.lines.first == "0:00  no beat  room Lab, recorded by simulation")
      #expect(list.lines.contains { $0.hasSuffix("p2 is here (simulation)") })
      #expect(list.lines.contains { $0.contains("p3: note 50.0, force 0.900, 0.500 beats for beat ") })
    }
  }

  @Test("plays a single player on request, and suggests a name for an unknown one")
  func player() throws {
    try withFolder { folder in
      _ = try RecordedSession(seconds: 20, path: "\(folder)/e.osc")
      let momu = "cd '\(folder)' && '\(ProgramRun.folder)/momu' session replay e.osc tone --offline"
      for (name, words) in [("all", ""), ("one", "--player p2")] {
        let run = ProgramRun(shell: "\(momu) --audio wav:\(name).wav --seed 1 \(words)")
        #expect(run.status == 0, "\(run.text)")
      }
      let all = try SoundBuffer("\(folder)/all.wav")
      let one = try SoundBuffer("\(folder)/one.wav")
      func energy(_ sound: SoundBuffer) -> Float {
        (0..<sound.frames).reduce(0) { $0 + sound[$1] * sound[$1] }
      }
      #expect(energy(one) > 0)
      #expect(energy(one) < 0.5 * energy(all))
      // Without a named instrument, notes are played with a tone, and a message reports that.
      let own = ProgramRun(
        shell:
          "cd '\(folder)' && '\(ProgramRun.folder)/momu' session replay e.osc --offline --audio wav:own.wav --seed 1"
      )
      #expect(
        own.status == 0
          && own.lines.first?.hasSuffix("on this tape name no instrument: tone plays them") == true)
      #expect(ProgramRun(shell: "cmp '\(folder)/own.wav' '\(folder)/all.wav' && echo same").text == "same\n")
      func notes(_ words: String) -> Int? {
        let run = ProgramRun(shell: "\(momu) --audio wav:n.wav \(words)")
        return run.lines.last?.split(separator: " ").dropLast().last.flatMap { Int($0) }
      }
      let (whole, part) = (notes(""), notes("--player p2"))
      #expect(part.map { $0 > 0 && $0 < whole ?? 0 } == true, "\(String(describing: (whole, part)))")
      let wrong = ProgramRun(shell: "\(momu) --player q2")
      #expect(wrong.lines.first == "no player on this tape is called \"q2\": did you mean \"p2\"?")
      #expect(wrong.status == 1)
    }
  }

  @Test("rhythmic instruments follow the tape's rhythm, and a drum machine plays the shared pattern")
  func rhythm() throws {
    try withFolder { folder in
      _ = try RecordedSession(seconds: 12, path: "\(folder)/e.osc")
      for kind in ["band", "drum-machine"] {
        let run = ProgramRun(
          shell: "cd '\(folder)' && '\(ProgramRun.folder)/momu' session replay e.osc \(kind) --offline "
            + "--audio wav:\(kind).wav --seed 1 --seconds 8")
        #expect(run.status == 0, "\(run.text)")
      }
      let band = try SoundBuffer("\(folder)/band.wav")
      #expect((0..<band.frames).contains { abs(band[$0]) > 0.05 })
      // No pattern was shared, so the drum machine's own pattern does not play.
      let drums = try SoundBuffer("\(folder)/drum-machine.wav")
      #expect(drums.frames == 8 * 48_000)
    }
  }

  @Test("reports invalid, cut and foreign tapes, with the remedy")
  func troubles() throws {
    try withFolder { folder in
      _ = try RecordedSession(seconds: 8, path: "\(folder)/e.osc")
      func run(_ words: String) -> ProgramRun {
        ProgramRun(shell: "cd '\(folder)' && '\(ProgramRun.folder)/momu' session replay \(words)")
      }
      _ = ProgramRun(shell: "cd '\(folder)' && head -c -9 e.osc > cut.osc && echo nonsense > none.osc")
      let cut = run("cut.osc")
      #expect(cut.status == 0)
      #expect(cut.lines.contains { $0.hasPrefix("cut.osc was cut at byte ") })
      #expect(cut.lines.contains("  room    Lab"))
      let none = run("none.osc")
      #expect(none.status == 1)
      #expect(none.text.hasPrefix("none.osc is not a tape: "))
      #expect(none.text.hasSuffix("; to record a session: momu session --record FILE\n"))
      let tape = try OSCTapeWriter(path: "\(folder)/shake.osc", startNanosecondsSince1970: 0, madeBy: "MoMu")
      try tape.write(OSCMessage("/momu/accel", [.float(0), .float(0), .float(1)]), atNanoseconds: 0)
      try tape.close()
      #expect(
        run("shake.osc tone").text.hasPrefix("shake.osc is a tape of \"MoMu\", but no session is on it: "))
      #expect(run("e.osc theremin").text.hasPrefix("there is no instrument \"theremin\": "))
      #expect(
        run("e.osc --set level=1 --play").lines.first
          == "Error: --set is for one instrument: name it, such as tone")
      #expect(
        run("e.osc --list --play").lines.first
          == "Error: --list prints and does not play: leave it or what is to be played out")
    }
  }

  @Test("writes a date and a duration in a readable form")
  func words() {
    #expect(calendarDate(0, "%Y-%m-%d %H:%M UTC") == "1970-01-01 00:00 UTC")
    #expect(calendarDate(951_782_400_000_000_000, "%Y-%m-%d %H:%M UTC") == "2000-02-29 00:00 UTC")
    #expect(calendarDate(4_107_542_399_000_000_000, "%Y-%m-%d %H:%M:%S") == "2100-02-28 23:59:59")
    #expect(RecordingSummary.duration(3.5) == "0:03.5")
    #expect(RecordingSummary.duration(3600) == "1:00:00")
  }
}
