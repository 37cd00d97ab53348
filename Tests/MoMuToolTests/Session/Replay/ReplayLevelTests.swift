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
    static let ids = [MemberID(11), MemberID(12)]

    init() {
      notes.append((0, .room(SessionTapeRoom(name: "Lab", member: Self.ids[0], program: "test"))))
      for index in 0..<2 { set(index, at: 0) }
    }

    mutating func set(_ index: Int, level: Float = 1, at seconds: Double, isHere: Bool = true) {
      let member = SessionTapeMember(
        member: Self.ids[index], installation: MemberID(21 + UInt64(index)), name: "p\(index + 1)",
        program: "test", isHere: isHere, level: level)
      notes.append((seconds, .member(member)))
    }

    /// Adds a note without an end, or the end of a note.
    mutating func note(_ index: Int, _ pitch: Float, velocity: Float = 0.5, at seconds: Double) {
      let play = SessionPlay.note(SessionNote(pitch: pitch, velocity: velocity, length: 0))
      notes.append(
        (
          seconds,
          .heard(
            SessionHeard(
              from: Self.ids[index], play: play, time: HostTime(seconds: seconds), beat: nil, late: 0,
              weight: 1))
        ))
    }

    mutating func change(_ name: String, to value: Float, at seconds: Double) {
      let play = SessionPlay.change(SessionChange(name, value))
      let heard = SessionHeard(
        from: Self.ids[0], play: play, time: HostTime(seconds: seconds), beat: nil, late: 0, weight: 1)
      notes.append((seconds, .heard(heard)))
    }

    /// Returns the peak of each window of the rendered tape, the windows in seconds.
    func peaks(_ windows: [(Double, Double)], _ words: String = "") throws -> [Float] {
      let folder = Scratch()
      return try withExtendedLifetime(folder) {
        let tape = try OSCTapeWriter(
          path: "\(folder.path)/e.osc", startNanosecondsSince1970: 0, madeBy: "a test",
          survivesPowerCut: false)
        for (seconds, note) in notes {
          let time = HostTime(seconds: seconds)
          try tape.write(
            SessionTapeEntry(time: time, beat: nil, note: note).message(from: .zero),
            atNanoseconds: time.nanoseconds)
        }
        try tape.close()
        let run = ProgramRun(
          shell: "cd '\(folder.path)' && '\(ProgramRun.folder)/momu' session replay e.osc tone --offline "
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

  @Test("nothing sounds from the call for silence to its end, to the millisecond")
  func silence() throws {
    var sheet = Sheet()
    sheet.note(0, 69, at: 1)
    sheet.notes.append((2, .panic(Sheet.ids[1])))
    // This member's own notes are on the tape also during a silence.
    sheet.note(0, 72, at: 2.5)
    sheet.notes.append((3, .panicLifted))
    sheet.note(0, 76, at: 3.5)
    sheet.note(0, 76, velocity: 0, at: 4)
    let peaks = try sheet.peaks([(1.9, 1.998), (2.05, 2.99), (3.55, 3.95)])
    #expect(peaks[0] > 0.05 && peaks[1] < 0.0001 && peaks[2] > 0.05, "\(peaks)")
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
