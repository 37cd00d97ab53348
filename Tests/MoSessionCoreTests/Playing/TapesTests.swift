import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

/// Records the notices to a tape.
private struct TestTape: SessionObserver {
  let heard: Locked<[SessionHeard]>

  func receive(_ notice: SessionNotice, of core: SessionCore, at now: HostTime) {
    if case .heard(let heard) = notice { self.heard.withLock { $0.append(heard) } }
  }
}

@Suite("Plays for tapes alone")
struct TapesTests {
  private let note = SessionPlay.note(SessionNote(pitch: 60, instrument: "harp"))

  @Test("plays for tapes reach the member that records, sound nowhere, and go to no other member")
  func recorder() throws {
    var orchestra = VirtualOrchestra.room(4)
    let tape = Locked<[SessionHeard]>([])
    #expect(!orchestra.core(0).hasRecorder)
    _ = orchestra.act(2) { core, _ in core.observer = TestTape(heard: tape) }
    orchestra.pass(3)
    #expect((0..<4).allSatisfy { orchestra.core($0).hasRecorder })
    let roster = orchestra.core(0).roster(at: orchestra.host(0))
    #expect(roster.filter(\.isRecording).map(\.displayName) == ["p3"])
    let before = [1, 3].map { orchestra.members[$0].received.datagrams }
    for _ in 0..<50 {
      try orchestra.play(0, note.forTapes, to: .recorders)
      orchestra.pass(0.01)
    }
    // Less than one datagram for each note, and none to the other members.
    let more = [1, 3].enumerated().map { orchestra.members[$1].received.datagrams - before[$0] }
    #expect(more.allSatisfy { $0 < 25 }, "\(more)")
    orchestra.pass(2)
    #expect((0..<4).allSatisfy { orchestra.heard($0).isEmpty })
    #expect(tape.withLock { $0 }.map(\.play) == Array(repeating: note.forTapes, count: 50))
  }

  @Test("plays for tapes have the beat at which they sounded, even if it has passed on arrival")
  func beat() throws {
    var orchestra = VirtualOrchestra.room(2)
    let tape = Locked<[SessionHeard]>([])
    _ = orchestra.act(1) { core, _ in core.observer = TestTape(heard: tape) }
    try orchestra.start(0)
    orchestra.pass(3)
    let beat = try #require(orchestra.beat(0))
    try orchestra.play(0, note.forTapes, to: .recorders, at: .beat(beat - 0.1))
    orchestra.pass(1)
    let heard = try #require(tape.withLock { $0 }.last)
    #expect(heard.late == 0 && heard.beat == beat - 0.1)
    let sounds = Double(orchestra.members[1].clock.time(at: heard.time)) * 1e-9
    #expect(abs(orchestra.seconds - sounds - 1.05) < 0.01, "120 bpm: a tenth of a beat is 50 ms")
  }

  @Test("a hostile play for tapes to a member without a tape sounds nowhere and is not recorded")
  func wild() throws {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.play(0, note.forTapes, to: .others)
    let unwanted = orchestra.core(1).counts.unwanted
    orchestra.pass(1)
    #expect(orchestra.heard(1).isEmpty && orchestra.core(1).counts.unwanted > unwanted)
  }

  @Test("plays for tapes keep the name of the instrument, of any length")
  func names() {
    #expect(note.forTapes.soundingInstrument == "harp" && note.soundingInstrument == "harp")
    #expect(note.forTapes.forTapes == note.forTapes && !note.isForTapes)
    let long = SessionPlay.hit(SessionHit(force: 1, instrument: String(repeating: "é", count: 20))).forTapes
    #expect(long.instrument.utf8.count <= 40 && long.isForTapes)
    #expect(SessionPlay.cue(SessionCue(.ready)).forTapes == .cue(SessionCue(.ready)))
  }
}
