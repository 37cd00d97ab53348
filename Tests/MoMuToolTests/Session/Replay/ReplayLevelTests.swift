import MoCore
import MoMu
import MoMuTool
import MoOrchestra
import MoSessionCore
import MoTesting
import Testing

/// The levels of sections, mutes and silences in the sound of a replayed tape.
@Suite("The levels of a replayed tape", .serialized)
struct ReplayLevelTests {
  private let outside = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Outside"

  /// A tape of two members that play `tone`, written entry by entry, and its rendered sound.
  private struct Sheet {
    var notes: [(seconds: Double, note: SessionTapeNote)] = []
    static let ids = [MemberID(11), MemberID(12), MemberID(13)]

    init() {
      notes.append((0, .room(SessionTapeRoom(name: "Lab", member: Self.ids[0], program: "test"))))
      for index in 0..<2 { set(index, at: 0) }
    }

    mutating func set(
      _ index: Int, level: Float = 1, at seconds: Double, isHere: Bool = true, plays: String = ""
    ) {
      let member = SessionTapeMember(
        member: Self.ids[index], installation: MemberID(21 + UInt64(index)), name: "p\(index + 1)",
        program: "test", isHere: isHere, plays: plays, level: level)
      notes.append((seconds, .member(member)))
    }

    /// Adds a note without an end, or the end of a note.
    mutating func note(_ index: Int, _ pitch: Float, velocity: Float = 0.5, at seconds: Double) {
      heard(index, .note(SessionNote(pitch: pitch, velocity: velocity, length: 0)), at: seconds)
    }

    mutating func change(_ name: String, to value: Float, at seconds: Double) {
      heard(0, .change(SessionChange(name, value)), at: seconds)
    }

    /// Adds a play of a member that was received at a time, and sounds then or later.
    mutating func heard(_ index: Int, _ play: SessionPlay, at seconds: Double, due: Double? = nil) {
      let heard = SessionHeard(
        from: Self.ids[index], play: play, time: HostTime(seconds: due ?? seconds), beat: nil, late: 0,
        weight: 1)
      notes.append((seconds, .heard(heard)))
    }

    /// Returns the peak of each window of the rendered tape, the windows in seconds.
    func peaks(_ windows: [(Double, Double)], _ words: String = "", instrument: String = "tone") throws
      -> [Float]
    {
      let folder = Scratch()
      return try withExtendedLifetime(folder) {
        let tape = try OSCTapeWriter(
          path: "\(folder.path)/e.osc", startNanosecondsSince1970: 0, madeBy: "a test",
          survivesPowerCut: false)
        for (seconds, note) in notes.sorted(by: { $0.seconds < $1.seconds }) {
          let time = HostTime(seconds: seconds)
          try tape.write(
            SessionTapeEntry(time: time, beat: nil, note: note).message(from: .zero),
            atNanoseconds: time.nanoseconds)
        }
        try tape.close()
        let run = ProgramRun(
          shell:
            "cd '\(folder.path)' && '\(ProgramRun.folder)/momu' session replay e.osc \(instrument) --offline "
            + "--audio wav:e.wav \(words)")
        #expect(run.status == 0, "\(run.text)")
        let sound = try SoundBuffer("\(folder.path)/e.wav")
        return windows.map { window in
          let frames = Int(window.0 * 48_000)..<min(sound.frames, Int(window.1 * 48_000))
          return frames.reduce(0) { max($0, abs(sound[$1])) }
        }
      }
    }
  }

  @Test("half the level of a section is a quarter of the amplitude, also of a note that sounds already")
  func level() throws {
    var sheet = Sheet()
    sheet.note(0, 69, at: 1)
    sheet.set(0, level: 0.5, at: 2)
    sheet.set(0, level: 1, at: 3)
    sheet.note(0, 69, velocity: 0, at: 4)
    let peaks = try sheet.peaks([(1.5, 1.95), (2.1, 2.95), (3.1, 3.95)])
    #expect(abs(peaks[1] / peaks[0] - 0.25) < 0.01 && abs(peaks[2] / peaks[0] - 1) < 0.01, "\(peaks)")
  }

  @Test("a member with a lower level than the other players of its part is weaker")
  func mixed() throws {
    var sheet = Sheet()
    sheet.set(1, level: 0.5, at: 0.5)
    for (index, seconds) in [(0, 1.0), (1, 3.0)] {
      sheet.note(index, 69, at: seconds)
      sheet.note(index, 69, velocity: 0, at: seconds + 1)
    }
    let peaks = try sheet.peaks([(1, 2), (3, 4)])
    #expect((0.15...0.4).contains(peaks[1] / peaks[0]), "\(peaks)")
  }

  @Test("a muted member's notes end, and do not come back when the section is unmuted")
  func mute() throws {
    var sheet = Sheet()
    sheet.note(0, 69, at: 1)
    sheet.note(1, 76, at: 1)
    sheet.set(0, level: 0, at: 2)
    sheet.note(1, 76, velocity: 0, at: 3)
    sheet.set(0, level: 1, at: 4)
    sheet.note(1, 76, at: 5)
    sheet.note(1, 76, velocity: 0, at: 5.5)
    let peaks = try sheet.peaks([(1.5, 2), (2.8, 3), (3.8, 5), (5.1, 5.5)])
    #expect(peaks[0] > 0.05 && peaks[1] > 0.02 && peaks[1] < 0.8 * peaks[0], "\(peaks)")
    #expect(peaks[2] < 0.001 && peaks[3] > 0.02, "\(peaks)")
  }

  @Test("nothing sounds from the call for silence to its end, and held notes do not come back")
  func silence() throws {
    var sheet = Sheet()
    sheet.note(0, 69, at: 1)
    sheet.notes.append((2, .panic(Sheet.ids[1])))
    sheet.notes.append((3, .panicLifted))
    sheet.note(0, 76, at: 4)
    sheet.note(0, 76, velocity: 0, at: 4.5)
    let peaks = try sheet.peaks([(1.9, 1.998), (2.02, 3.99), (4.05, 4.45)])
    #expect(peaks[0] > 0.05 && peaks[1] < 0.0001 && peaks[2] > 0.05, "\(peaks)")
  }

  @Test("a note ends a silence whose end is not on the tape, as on a tape of an earlier release")
  func lostEnd() throws {
    var sheet = Sheet()
    sheet.notes.append((1, .panic(Sheet.ids[1])))
    sheet.note(1, 76, at: 2)
    sheet.note(1, 76, velocity: 0, at: 3)
    #expect(try sheet.peaks([(2.1, 2.9)])[0] > 0.05)
  }

  @Test("the first note of a member has the member's level from its first millisecond")
  func attack() throws {
    func peak(level: Float) throws -> Float {
      var sheet = Sheet()
      sheet.set(0, level: level, at: 0.5)
      // Another member's note, so that the instrument has begun.
      sheet.note(1, 40, velocity: 0.01, at: 1)
      sheet.note(1, 40, velocity: 0, at: 1.2)
      sheet.set(1, at: 1.5, isHere: false)
      sheet.note(0, 69, at: 3)
      sheet.note(0, 69, velocity: 0, at: 4)
      return try sheet.peaks([(2.99, 3.02)], "--set softness=0.005")[0]
    }
    #expect(try peak(level: 0.1) < 0.02 * peak(level: 1))
  }

  @Test("a loudness that a member sets, or that the user gives, is multiplied by the level")
  func loudness() throws {
    var sheet = Sheet()
    sheet.set(0, level: 0.5, at: 0.5)
    sheet.note(0, 69, at: 1)
    sheet.change("loudness", to: 0.4, at: 2)
    sheet.set(0, level: 1, at: 3)
    sheet.note(0, 69, velocity: 0, at: 4)
    let windows = [(1.5, 1.95), (2.1, 2.95), (3.1, 3.95)]
    let peaks = try sheet.peaks(windows)
    #expect(abs(peaks[1] / peaks[0] - 0.25) < 0.01 && abs(peaks[2] / peaks[0] - 1) < 0.01, "\(peaks)")
    let soft = try sheet.peaks(windows, "--set loudness=0.4")
    #expect(abs(soft[0] / peaks[0] - 0.25) < 0.01 && abs(soft[1] / peaks[1] - 1) < 0.01, "\(soft)")
  }

  @Test("a held note of a room does not sound on in the next room of the tape")
  func rooms() throws {
    var sheet = Sheet()
    sheet.note(0, 69, at: 1)
    sheet.notes.append((2, .room(SessionTapeRoom(name: "Hall", member: Sheet.ids[0], program: "test"))))
    sheet.note(0, 76, at: 4)
    sheet.note(0, 76, velocity: 0, at: 4.5)
    let peaks = try sheet.peaks([(1.5, 1.9), (3, 3.9), (4.1, 4.4)])
    #expect(peaks[0] > 0.05 && peaks[1] < 0.0001 && peaks[2] > 0.05, "\(peaks)")
  }

  /// A tape on which the first member's drum pattern plays from 1 s on, at 120 beats per minute.
  ///
  /// - Parameters:
  ///   - plays: the instrument that the first member reports.
  ///   - index: the member that has changed the pattern; 2 for a third member, which is not in the room.
  private static func drums(plays: String = "drums", from index: Int = 0) -> Sheet {
    var sheet = Sheet()
    sheet.set(0, at: 0.1, plays: plays)
    let state = SessionState(
      version: StateVersion(counter: 1, holder: Sheet.ids[0], revision: 1), lineage: Sheet.ids[0],
      isHeld: true,
      holderInstallation: MemberID(21),
      timeline: Timeline(
        BeatSegment(start: SessionTime(nanoseconds: 1_000_000_000), beat: 0, tempo: 120, isPlaying: true)))
    sheet.notes.append(
      (0.2, .clock(SessionTapeClock(shared: SessionTime(nanoseconds: 200_000_000), rate: 0))))
    sheet.notes.append((0.2, .state(state)))
    let edits = stride(from: 0, to: 16, by: 4).map { step in
      SharedEdit(key: Int64(step), cell: SharedCell(value: 900, count: 1, author: 5))
    }
    sheet.heard(index, .cells(SharedEdits(SharedDrums.name(of: .standard), edits)), at: 0.3)
    sheet.notes.append((9, .activity(Sheet.ids[0], 0)))
    return sheet
  }

  @Test("a drum pattern follows the level of its member, also if another member has struck a drum of it")
  func pattern() throws {
    var sheet = Self.drums()
    sheet.heard(1, .hit(SessionHit(force: 0.01, drum: 1)), at: 2)
    sheet.set(0, level: 0, at: 4, plays: "drums")
    // A program may play the pattern and another instrument.
    sheet.set(0, level: 1, at: 6, plays: "piano")
    sheet.set(0, at: 7.5, plays: "drums")
    sheet.set(0, at: 8, isHere: false)
    let windows = [(2.1, 3.9), (4.3, 5.9), (6.1, 7.9), (8.3, 9.0)]
    let peaks = try sheet.peaks(windows, instrument: "drum-machine")
    #expect(peaks[0] > 0.02 && peaks[2] > 0.02 && max(peaks[1], peaks[3]) < 0.0001, "\(peaks)")
    // A program that reports no instrument.
    var silent = Self.drums(plays: "")
    silent.set(0, level: 0, at: 4)
    let others = try silent.peaks(windows, instrument: "drum-machine")
    #expect(others[0] > 0.02 && others[1] > 0.02, "\(others)")
  }

  @Test(
    "a member that no longer plays the drum machine, or plays another part, does not keep the pattern audible"
  )
  func formerDrummer() throws {
    var sheet = Self.drums(from: 2)
    sheet.set(0, at: 0.1, plays: "drums")
    sheet.set(1, at: 1, plays: "drum-machine")
    sheet.set(1, at: 2, plays: "piano")
    sheet.note(1, 60, velocity: 0.01, at: 2)
    sheet.set(0, level: 0, at: 4, plays: "drums")
    sheet.set(0, at: 6, isHere: false)
    let peaks = try sheet.peaks([(2.5, 3.9), (4.3, 9)], instrument: "drum-machine")
    #expect(peaks[0] > 0.02 && peaks[1] < 0.0001, "\(peaks)")
  }

  @Test("a pattern sounds on if a member that has reported a drum machine takes another instrument")
  func otherInstrument() throws {
    var sheet = Self.drums(plays: "piano")
    sheet.set(1, at: 1, plays: "drum-machine")
    sheet.set(1, at: 2, plays: "harp")
    let peaks = try sheet.peaks([(5, 8)], instrument: "drum-machine")
    #expect(peaks[0] > 0.02, "\(peaks)")
  }

  @Test("a member that hands on the pattern, or changes it, is not a member that plays it")
  func forwarded() throws {
    var sheet = Self.drums(from: 1)
    sheet.set(1, at: 0.1, plays: "piano")
    sheet.set(0, level: 0, at: 4, plays: "drums")
    sheet.set(0, at: 6, isHere: false)
    let peaks = try sheet.peaks([(2.5, 3.9), (4.3, 9)], instrument: "drum-machine")
    #expect(peaks[0] > 0.02 && peaks[1] < 0.0001, "\(peaks)")
  }

  @Test("a silence lasts when the part of the room follows another part, with other numbers of silences")
  func otherPart() throws {
    var sheet = Self.drums()
    var own = SessionState.none
    (own.lineage, own.holderInstallation) = (MemberID(77), MemberID(21))
    own.endedSilence = 3
    sheet.notes.append((0.12, .state(own)))
    sheet.notes.append((0.15, .panic(Sheet.ids[1])))
    sheet.notes.append((5, .panicLifted))
    let peaks = try sheet.peaks([(1, 4.9), (5.1, 8)], instrument: "drum-machine")
    #expect(peaks[0] < 0.0001 && peaks[1] > 0.02, "\(peaks)")
  }

  @Test("a silence that is older than the rhythm on the tape lasts until its end")
  func newcomer() throws {
    var sheet = Self.drums()
    sheet.notes.append((0.15, .panic(Sheet.ids[1])))
    sheet.notes.append((5, .panicLifted))
    let peaks = try sheet.peaks([(1, 4.9), (5.1, 8)], instrument: "drum-machine")
    #expect(peaks[0] < 0.0001 && peaks[1] > 0.02, "\(peaks)")
  }

  @Test("what rings when its player leaves does not become louder")
  func ringing() throws {
    var sheet = Sheet()
    sheet.set(0, level: 0.2, at: 0.5)
    sheet.heard(0, .hit(SessionHit(force: 0.9, drum: 0)), at: 1)
    sheet.set(0, at: 1.5, isHere: false)
    sheet.notes.append((4, .activity(Sheet.ids[1], 0)))
    let peaks = try sheet.peaks([(1.1, 1.45), (1.6, 3)], instrument: "bars")
    #expect(peaks[0] > 0.0001 && peaks[1] <= peaks[0], "\(peaks)")
  }

  @Test("a note that comes with its member's level has this level")
  func sameTime() throws {
    func peak(from seconds: Double) throws -> Float {
      var sheet = Sheet()
      sheet.note(1, 40, velocity: 0.01, at: 1)
      sheet.note(1, 40, velocity: 0, at: 1.2)
      sheet.set(1, at: 1.5, isHere: false)
      sheet.set(0, level: 0.5, at: seconds, plays: "tone")
      sheet.note(0, 69, at: 3)
      sheet.note(0, 69, velocity: 0, at: 4)
      return try sheet.peaks([(3.2, 3.9)])[0]
    }
    let (same, before) = (try peak(from: 3), try peak(from: 2.5))
    #expect(abs(same / before - 1) < 0.01, "\(same) \(before)")
  }

  @Test("a change of loudness that becomes due during a mute does not end the mute")
  func dueLater() throws {
    var sheet = Self.drums()
    sheet.heard(0, .change(SessionChange("loudness", 0.9)), at: 3.9, due: 5)
    sheet.set(0, level: 0, at: 4, plays: "drums")
    let peaks = try sheet.peaks([(2.1, 3.9), (4.3, 8)], instrument: "drum-machine")
    #expect(peaks[0] > 0.02 && peaks[1] < 0.0001, "\(peaks)")
  }

  @Test(
    "a recorded drum machine follows the conductor's levels, mutes and silence, and ends with its program")
  func drums() {
    let run = ProgramRun(shell: "unshare --net python3 '\(outside)/levels.py' '\(ProgramRun.folder)'")
    #expect(
      run.text == """
        0 True
        a quarter
        silent
        a quarter
        full
        silent
        full
        silent

        """)
  }
}
