import MIDICore
import MoCore
import MoMIDI
import MoMuTool
import MoOSC
import MoOrchestra
import MoSessionCore
import MoTesting
import Testing

@Suite("A session's tape as a MIDI file")
struct SongTests {
  private let folder = Scratch()
  private let ada = MemberID(11)
  private let ben = MemberID(12)
  private let me = MemberID(9)
  /// The shared clock is far from the tape's, and 20 ppm fast.
  private static let origin: Int64 = 7_000_000_000_123
  private static let rate = 20e-6

  private func shared(_ seconds: Double) -> SessionTime {
    SessionTime(nanoseconds: Self.origin + Int64((seconds * 1e9 * (1 + Self.rate)).rounded()))
  }

  private func entry(_ seconds: Double, _ note: SessionTapeNote) -> SessionTapeEntry {
    SessionTapeEntry(time: HostTime(seconds: seconds), beat: nil, note: note)
  }

  private func state(_ seconds: Double, _ timeline: Timeline, _ revision: UInt32) -> SessionTapeEntry {
    entry(
      seconds,
      .state(
        SessionState(
          version: StateVersion(counter: 1, holder: ada, revision: 65_536 + revision), lineage: ada,
          isHeld: true, holderInstallation: ada, timeline: timeline)))
  }

  private func heard(
    _ from: MemberID, _ play: SessionPlay, at seconds: Double, beat: Double? = nil, late: Double = 0
  ) -> SessionTapeEntry {
    entry(
      seconds - 0.05,
      .heard(
        SessionHeard(
          from: from, play: play, time: HostTime(seconds: seconds), beat: beat, late: late, weight: 1)))
  }

  private func note(_ pitch: Float, length: Float = 0, velocity: Float = 0.8) -> SessionPlay {
    .note(SessionNote(pitch: pitch, velocity: velocity, length: length, instrument: "harp"))
  }

  /// A rehearsal: free, 120 in 4/4 from 2.5 s, at bar 3 a ramp of 4 beats to 90, 3/4 from bar 5, a stop.
  private func rehearsal() throws -> [SessionTapeEntry] {
    // Two bars of 120 last 4 s; the ramp 4 beats at a mean of 105; then bar 4 at 90.
    let rampEnd = 6.5 + 4 * 60 / 105
    let barFive = rampEnd + 4 * 60 / 90
    let steady = BeatSegment(start: shared(2.5), beat: 0, tempo: 120, isPlaying: true)
    var ramp = BeatSegment(start: shared(6.5), beat: 8, tempo: 120, isPlaying: true, bar: 3, barBeat: 8)
    (ramp.endTempo, ramp.rampBeats) = (90, 4)
    let three = BeatSegment(
      start: shared(barFive), beat: 16, tempo: 90, isPlaying: true, meter: try #require(Meter(3, 4)), bar: 5,
      barBeat: 16)
    var stop = three
    (stop.start, stop.beat, stop.isPlaying) = (shared(barFive + 4), 22, false)
    let lines = [0.0, 1, 2, 3, 8].map {
      entry($0, .clock(SessionTapeClock(shared: shared($0), rate: Self.rate)))
    }
    let played: [SessionTapeEntry] = [
      entry(0, .room(SessionTapeRoom(name: "Lab", member: me, program: "momu session"))),
      member(ada, "Ada"), member(ben, "Ben"),
      state(1.5, Timeline(steady), 1),
      state(6, Timeline(steady, next: ramp, later: three), 2),
      state(12, Timeline(three, next: stop), 3),
      heard(ada, note(60), at: 1), heard(ada, note(60, velocity: 0), at: 1.75),
      heard(ada, note(62, length: 1), at: 2.5, beat: 0),
      heard(ben, .hit(SessionHit(force: 1, drum: 36, instrument: "drums")), at: 4.5, beat: 4),
      heard(ada, note(64, length: 0.5), at: rampEnd, beat: 12),
      heard(ben, note(67, length: 2), at: barFive, beat: 16),
      heard(ada, note(69, length: 1), at: barFive + 2, beat: 19),
      heard(ada, note(70), at: barFive + 4.5, late: .infinity),
      heard(ada, .change(SessionChange("brightness", 0.5)), at: 3.5, beat: 2),
      heard(ben, .cue(SessionCue(.comeIn, "the bridge")), at: 4.5),
      heard(ben, note(72), at: barFive + 5), entry(barFive + 6, .panic(ben)),
      entry(
        3,
        .sent(
          SessionSent(
            play: note(50, length: 1), aim: "all", isForMe: false, time: HostTime(seconds: 3.5), beat: 2))
      ),
      entry(
        3,
        .sent(
          SessionSent(
            play: note(51, length: 1), aim: "all", isForMe: true, time: HostTime(seconds: 3.5), beat: 2))
      ),
      heard(ada, .gesture(SessionGesture(activity: 0.5)), at: 2),
    ]
    return (lines + played).enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
  }

  private func member(_ id: MemberID, _ name: String) -> SessionTapeEntry {
    entry(
      0,
      .member(
        SessionTapeMember(member: id, installation: id, name: name, program: "Orchestra", isHere: true)))
  }

  private func write(_ entries: [SessionTapeEntry], _ name: String) throws {
    let tape = try OSCTapeWriter(
      path: folder.file(name), startNanosecondsSince1970: 0, madeBy: "MoMu, a session")
    for entry in entries {
      try tape.write(entry.message(from: .zero), atNanoseconds: entry.time.nanoseconds)
    }
    try tape.close()
  }

  private func song(_ name: String) -> [Substring] {
    let here = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
    return folder.run("python3 '\(here)/Session/Outside/song.py' \(name)").lines
  }

  @Test("has each player's notes at their times, and the session's bars, as mido reads them")
  func rehearsed() throws {
    try write(rehearsal(), "a.osc")
    let run = folder.run("momu midi convert a.osc a.mid")
    #expect(run.text == "8 notes converted to a.mid; left out: 1 movement\n", "\(run.text)")
    let rampEnd = 6.5 + 4 * 60 / 105.0
    let barFive = rampEnd + 4 * 60 / 90.0
    // Track, channel, key, beginning, end, position; free time is one bar before the rhythm's first.
    let expected: [(String, Int, Int, Double, Double, String)] = [
      ("Ada", 1, 60, 1, 1.75, ""), ("Ada", 1, 62, 2.5, 3, "2:0.000"),
      ("Ada", 1, 64, rampEnd, rampEnd + 1 / 3.0, "5:0.000"),
      ("Ada", 1, 69, barFive + 2, barFive + 2 + 2 / 3.0, "7:0.000"),
      ("who", 2, 50, 3.5, 4, "2:2.000"), ("Ben", 10, 36, 4.5, 4.75, "3:0.000"),
      ("Ben", 3, 67, barFive, barFive + 4 / 3.0, "6:0.000"), ("Ben", 3, 72, barFive + 5, barFive + 6, ""),
    ]
    let lines = song("a.mid")
    let notes = lines.filter { $0.hasPrefix("note ") }.map {
      $0.replacing("who recorded", with: "who").split(separator: " ")
    }
    #expect(notes.count == expected.count, "\(lines)")
    for (track, channel, key, start, end, place) in expected {
      let found = try #require(
        notes.first { $0[1] == track && $0[2] == "\(channel)" && $0[3] == "\(key)" }, "\(key): \(lines)")
      #expect(abs(try #require(Double(found[4])) - start) < 0.001, "\(found)")
      #expect(abs(try #require(Double(found[5])) - end) < 0.002, "\(found)")
      #expect(place.isEmpty || found[6] == place, "\(found)")
    }
    #expect(
      lines.contains { $0.hasPrefix("text Ada 3.500") && $0.hasSuffix(" set brightness 0.5") }, "\(lines)")
    #expect(
      lines.contains { $0.hasPrefix("marker Lab 4.50") && $0.hasSuffix(" come in: the bridge") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("instrument_name Ada 1.000") && $0.hasSuffix(" harp") }, "\(lines)")
  }

  @Test("comes back as a session's tape that makes the same file")
  func back() throws {
    try write(rehearsal(), "a.osc")
    let run = folder.run(
      """
      momu midi convert a.osc a.mid 2>/dev/null && momu midi convert --session a.mid b.osc &&
        momu midi convert b.osc b.mid && momu session replay b.osc
      """)
    #expect(run.lines.prefix(2).allSatisfy { $0.hasPrefix("8 notes converted") }, "\(run.text)")
    #expect(
      run.text.contains("played  Ada: ") && run.text.contains("120 beats per minute in 4/4"), "\(run.text)")
    #expect(!song("b.mid").isEmpty && song("a.mid") == song("b.mid"), "\(song("b.mid"))")
  }

  @Test(
    "a MIDI file of other programs becomes a tape whose notes have its times",
    .enabled(if: !Self.songs.isEmpty, "install openttd-openmsx"))
  func others() throws {
    for path in Self.songs.prefix(6) {
      let tape = SongTape(try MIDIFileScore.read(path), name: "song")
      let again = SessionSong(tape.entries)
      #expect(again.notes == tape.notes && tape.notes > 100, "\(path)")
      let file = try MIDIFile(bytes: again.file.bytes())
      let wanted = try MIDIFileScore.read(path)
      let (ours, theirs) = (onsets(file), onsets(wanted))
      #expect(ours.count == theirs.count, "\(path)")
      #expect(zip(ours, theirs).allSatisfy { abs($0 - $1) < 0.001 }, "\(path)")
    }
  }

  /// The beginnings of all notes, in seconds.
  private func onsets(_ file: MIDIFile) -> [Double] {
    let map = file.tempoMap()
    return file.tracks.flatMap { track in
      track.events.compactMap { event -> Double? in
        guard case .message(.noteOn(_, _, let velocity)) = event.content, velocity > 0 else { return nil }
        return map.seconds(at: event.tick)
      }
    }.sorted()
  }

  private static let songs = ProgramRun(shell: "ls /usr/share/games/openttd/baseset/openmsx/*.mid").lines
    .map(String.init).filter { $0.hasSuffix(".mid") }
}
