import MoCore
import MoInstruments
import MoOrchestra
import MoTesting
import Testing

@Suite("A remote part", .everyOutputPath)
struct PartPlayerTests {
  @Test("a note sounds at the exact frame of its beat, and ends after its length", arguments: [1, 100, 256])
  func note(block: Int) throws {
    var harness = try Harness()
    _ = harness.pass(0.1)  // The loudness glides there.
    let note = SessionNote(pitch: 60, velocity: 0.5, length: 0.5)
    #expect(harness.player.play(harness.heard(.note(note), beat: 1)))
    #expect(harness.pass(1.9, blockFrames: block) == [24_000: 60, 36_000: -60])
    #expect(harness.player.sounding == 0)
  }

  @Test("a tempo change moves the end of a note with a length in beats")
  func tempo() throws {
    var harness = try Harness()
    _ = harness.pass(0.1)
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60, length: 4)), beat: 1))
    #expect(harness.pass(0.9) == [24_000: 60])
    // Twice as fast from beat 3, at 1.5 s, on: the last two beats take half a second.
    harness.beat.withLock { clock in
      let now = SessionTime(nanoseconds: 1_000_000_000)
      let turn = SessionTime(nanoseconds: 1_500_000_000)
      clock.timeline = clock.timeline?.changing(tempo: 240, over: 0, at: turn, now: now)
    }
    #expect(harness.pass(2) == [96_000: -60])
  }

  @Test("a note and a melody end at a new start that is announced while they sound", arguments: [1, 17])
  func restart(bar: Int) throws {
    var harness = try Harness()
    _ = harness.pass(0.1)
    let notes = [(2, 64), (5, 67)].map { beat, pitch in
      SessionMelody.Note(beat: beat, length: 0.25, pitch: pitch)
    }
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60, length: 6)), beat: 1))
    harness.player.play(harness.heard(.melody(SessionMelody(beats: 8, notes)), beat: 1))
    #expect(harness.pass(0.9) == [24_000: 60])
    // At 2 s, beat 4 becomes beat 0 or beat 64.
    harness.beat.withLock { clock in
      let start = SessionTime(nanoseconds: 2_000_000_000)
      clock.timeline = clock.timeline.map {
        .beginning(at: start, tempo: 120, meter: .common, bar: bar, take: 1, after: $0.current)
      }
    }
    // A melody of the new take.
    let new = SessionMelody(beats: 4, [SessionMelody.Note(beat: 0, length: 0.5, pitch: 62)])
    harness.player.play(
      SessionHeard(
        // A clock that was corrected meanwhile gives the start a slightly other time.
        from: .ada, play: .melody(new), time: HostTime(nanoseconds: 1_999_999_000), beat: Double(4 * bar - 4))
    )
    #expect(harness.pass(5) == [72_000: 64, 78_000: -64, 96_000: 62 - 60, 108_000: -62])
    #expect(harness.player.owners.isEmpty)
  }

  @Test("notes that cross an announced stop end at the stop, not at its announcement")
  func stop() throws {
    var harness = try Harness()
    _ = harness.pass(0.1)
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60, length: 6)), beat: 1))
    let last = SessionMelody(beats: 8, [SessionMelody.Note(beat: 1.5, length: 4, pitch: 64)])
    harness.player.play(harness.heard(.melody(last), beat: 1))
    #expect(harness.pass(0.9) == [24_000: 60])
    // The stop is at 1.5 s, at beat 3.
    harness.beat.withLock { clock in
      let (stop, now) = (SessionTime(nanoseconds: 1_500_000_000), SessionTime(nanoseconds: 1_000_000_000))
      clock.timeline = clock.timeline?.stopping(at: stop, now: now)
    }
    #expect(harness.pass(3) == [60_000: 64, 72_000: -60 - 64])
    #expect(harness.player.owners.isEmpty)
  }

  @Test("a note with a length ends immediately if the music changes to another take")
  func otherTake() throws {
    var harness = try Harness()
    _ = harness.pass(0.1)
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60, length: 6)), beat: 1))
    #expect(harness.pass(0.9) == [24_000: 60])
    harness.beat.withLock { clock in
      let start = SessionTime(nanoseconds: 900_000_000)
      clock.timeline = .beginning(at: start, tempo: 120, meter: .common, take: 1)
    }
    #expect(Array(harness.pass(0.5).values) == [-60])
  }

  @Test("a release ends only notes of its sender, not local notes of the same key")
  func letGo() throws {
    var harness = try Harness(tempo: nil)
    _ = harness.pass(0.1)
    harness.handle.noteOn(60)
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60))))
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60)), from: .ben))
    #expect(harness.pass(0.1).values.reduce(0, +) == 180)
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60, velocity: 0)), late: 2))
    #expect(Array(harness.pass(0.1).values) == [-60])
    #expect(harness.player.owners == [.ben])
    harness.handle.noteOff(60)
    #expect(Array(harness.pass(0.1).values) == [-60])
    // Struck again: the earlier note ends.
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60)), from: .ben))
    #expect(harness.pass(0.1).isEmpty)
    #expect(harness.player.sounding == 1)
  }

  @Test("releases the notes of a member that leaves, also one that has not begun")
  func release() throws {
    var harness = try Harness()
    _ = harness.pass(0.1)
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60)), beat: 1))
    harness.player.play(harness.heard(.note(SessionNote(pitch: 64)), beat: 1, from: .ben))
    harness.player.release(.ada)
    // The scheduled note ends where it begins.
    #expect(harness.pass(1) == [24_000: 64])
    harness.player.releaseAll()
    #expect(Array(harness.pass(0.1).values) == [-64])
    #expect(harness.player.owners.isEmpty)
  }

  @Test("limits the notes that sound at the same time, and counts those without room")
  func bounds() throws {
    var harness = try Harness(tempo: nil)
    for index in 0..<200 {
      harness.player.play(harness.heard(.note(SessionNote(pitch: Float(index) / 2))))
      _ = harness.pass(0.001)
    }
    #expect(harness.player.sounding == RemotePart.mostSounding)
    #expect(harness.player.refused == 72)
    let notes = (0..<64).map { SessionMelody.Note(beat: Float($0), length: 1, pitch: 50) }
    for _ in 0..<20 { harness.player.play(harness.heard(.melody(SessionMelody(beats: 64, notes)))) }
    #expect(harness.player.refused > 72 + 19 * 64 - RemotePart.mostComing)
  }

  @Test("reports strikes and notes that sound late")
  func delays() throws {
    var harness = try Harness(tempo: nil)
    _ = harness.pass(0.1)
    harness.player.play(harness.heard(.hit(SessionHit(force: 0.5))))
    harness.player.play(harness.heard(.hit(SessionHit(force: 0.5)), late: 0.0725))
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60)), late: 0.01))
    #expect(
      LocalPart.text(harness.player.counts, part: "bars")
        == "bars: 3 strikes and notes of the room were played, 2 of them late, by 73 ms at most")
  }

  @Test("each stroke and note sounds, or counts as late or as crowded")
  func accounts() throws {
    var harness = try Harness(tempo: nil)
    _ = harness.pass(0.1)
    var (sent, sounded) = (0, 0)
    // Some are immediate and in time, some late; then more than there is room for before the next block.
    for round in 0..<40 {
      for index in 0..<(round == 20 ? 900 : 20) {
        let late = index % 7 == 3 ? Double.infinity : 0
        harness.player.play(harness.heard(.hit(SessionHit(force: 0.001)), late: late))
        sent += 1
      }
      // All fall on one frame, where they add up.
      sounded += harness.pass(0.01).values.reduce(0, +)
    }
    let counts = harness.player.counts
    #expect(counts.played == sounded)
    #expect(counts.late > 0 && counts.crowded > 0)
    #expect(counts.played + counts.late + counts.crowded == sent)
    #expect(
      LocalPart.text(counts, part: "bars")
        == "bars: \(counts.played) strikes and notes of the room were played, \(counts.late) came too late, by "
        + "0 ms at most, \(counts.crowded) found no free voice")
    #expect(LocalPart.text(RemotePart.Counts(played: 3), part: "bars") == nil)
    // A silent event cannot be missed.
    harness.player.play(harness.heard(.hit(SessionHit(force: 0)), late: 0.1))
    harness.player.play(harness.heard(.note(SessionNote(pitch: 60, velocity: 0)), late: 0.1))
    #expect(harness.player.counts.late == counts.late && harness.player.counts.played == counts.played)
    // Notes, too.
    for index in 0..<200 {
      harness.player.play(harness.heard(.note(SessionNote(pitch: Float(index) / 2))))
      _ = harness.pass(0.001)
    }
    #expect(harness.player.counts.played == counts.played + RemotePart.mostSounding)
    #expect(harness.player.counts.crowded == counts.crowded + 200 - RemotePart.mostSounding)
  }

  @Test("plays a late stroke immediately, and drops a stroke that is more than a tenth of a second late")
  func late() throws {
    var harness = try Harness()
    _ = harness.pass(0.6)
    // Beat 1 was at 0.5 s.
    #expect(harness.player.play(harness.heard(.hit(SessionHit(force: 0.5)), beat: 1, late: 0.12)))
    let soonest = harness.position
    let told = harness.pass(0.1)
    #expect(told.values.first == 500 && told.keys.first == soonest)
    #expect(!harness.player.play(harness.heard(.hit(SessionHit(force: 1)), beat: 1, late: 0.22)))
    #expect(!harness.player.play(harness.heard(.note(SessionNote(pitch: 60)), beat: 1, late: 0.22)))
    #expect(!harness.player.play(harness.heard(.hit(SessionHit(force: 1)), late: .infinity)))
    #expect(harness.player.counts.late == 3)
    #expect(harness.pass(0.1).isEmpty)
  }

  @Test("a hit is a stroke, or a drum's key; drops hits for other parts")
  func parts() throws {
    var harness = try Harness(tempo: nil)
    _ = harness.pass(0.1)
    #expect(!harness.player.play(harness.heard(.note(SessionNote(pitch: 60, instrument: "harp")))))
    #expect(harness.pass(0.1).isEmpty)
    #expect(harness.player.play(harness.heard(.hit(SessionHit(force: 0.5, instrument: "probe")))))
    #expect(Array(harness.pass(0.1).values) == [500])
    #expect(harness.player.play(harness.heard(.hit(SessionHit(force: 0.5, drum: 38)))))
    #expect(Array(harness.pass(0.1).values) == [38])
  }

  @Test("a parameter moves by the gate's weight, late or not; ignores an unknown parameter")
  func change() throws {
    let harness = try Harness()
    var heard = harness.heard(.change(SessionChange("colour", 1)), late: 1)
    heard.weight = 0.5
    #expect(harness.player.play(heard))
    #expect(harness.handle.value("colour") == 0.75)
    #expect(!harness.player.play(harness.heard(.change(SessionChange("color", 1)))))
    #expect(!harness.player.play(harness.heard(.gesture(SessionGesture(activity: 1)))))
  }

  @Test("plays a melody once at its beat, and a late one at the next beat that it could start on")
  func melody() throws {
    var harness = try Harness()
    _ = harness.pass(0.1)
    let notes = [(0, 60), (0.5, 64), (1, 67)].map { beat, pitch in
      SessionMelody.Note(beat: beat, length: 0.25, pitch: pitch)
    }
    let melody = SessionMelody(beats: 2, notes)
    harness.player.play(harness.heard(.melody(melody), beat: 2))
    let once = [48_000: 60, 54_000: -60, 60_000: 64, 66_000: -64, 72_000: 67, 78_000: -67]
    #expect(harness.pass(2.4) == once)
    // Beat 4 has passed by one beat: it starts at beat 6.
    harness.player.play(harness.heard(.melody(SessionMelody(beats: 2, [notes[0]])), beat: 4, late: 0.5))
    #expect(harness.pass(1.5) == [144_000: 60, 150_000: -60])
  }

  @Test("converts melodies between the session and instruments, note for note")
  func melodies() {
    let own = Melody(
      beats: 3,
      [Melody.Event(beat: 0.5, length: 1, pitch: 60.5), Melody.Event(beat: 2, length: 0.5, pitch: 70)])
    #expect(Melody(SessionMelody(own)) == own)
    #expect(Melody(SessionMelody(own.transposed(by: 7)))[1].pitch == 77)
  }
}
