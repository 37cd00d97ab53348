import MoCore
import MoOrchestra
import MoRuntime
import MoSessionCore
import Testing

@Suite("A pending cue")
struct PendingCueTests {
  private static let start = SessionTime(nanoseconds: 10_000_000_000)

  private func time(_ seconds: Double) -> HostTime { HostTime.zero.advanced(bySeconds: seconds) }

  /// Returns a rhythm of 60 beats a minute from 10 s on, changed by `change`.
  private func clock(_ change: (Timeline) -> Timeline = { $0 }) -> BeatClock {
    let timeline = Timeline.beginning(at: Self.start, tempo: 60, meter: .common, take: 7)
    return BeatClock(alone: change(timeline))
  }

  private func cue(beat: Double?, at seconds: Double) throws -> PendingCue {
    let heard = SessionHeard(
      from: MemberID(1), play: .cue(SessionCue(.comeIn)), time: time(seconds), beat: beat)
    return try #require(PendingCue(heard, on: clock()))
  }

  @Test("counts down to its beat, then 0, and disappears two seconds later")
  func countdown() throws {
    let cue = try cue(beat: 8, at: 18)
    #expect(cue.beatsLeft(on: clock(), at: time(10)) == 8)
    #expect(abs((cue.beatsLeft(on: clock(), at: time(17.5)) ?? 0) - 0.5) < 1e-9)
    #expect(cue.beatsLeft(on: clock(), at: time(19.9)) == 0)
    #expect(cue.beatsLeft(on: clock(), at: time(20.1)) == nil)
  }

  @Test("follows its beat if the tempo changes")
  func tempo() throws {
    let faster = clock {
      $0.changing(tempo: 120, at: Self.start.advanced(bySeconds: 4), now: Self.start.advanced(bySeconds: 3))
    }
    let cue = try cue(beat: 8, at: 18)
    #expect(cue.beatsLeft(on: faster, at: time(15)) == 2)
    #expect(cue.beatsLeft(on: faster, at: time(16.5)) == 0)
    #expect(cue.beatsLeft(on: faster, at: time(18.1)) == nil)
  }

  @Test("disappears if the rhythm is stopped or started anew before its beat")
  func stopped() throws {
    let cue = try cue(beat: 8, at: 18)
    let stopped = clock {
      $0.stopping(at: Self.start.advanced(bySeconds: 4), now: Self.start.advanced(bySeconds: 3))
    }
    #expect(cue.beatsLeft(on: stopped, at: time(15)) == nil)
    var anew = clock()
    anew.timeline?.take = 8
    #expect(cue.beatsLeft(on: anew, at: time(12)) == nil)
  }

  @Test("without a beat, is shown for two seconds")
  func atOnce() throws {
    let cue = try cue(beat: nil, at: 18)
    #expect(cue.beatsLeft(on: clock(), at: time(19.5)) == 0)
    #expect(cue.beatsLeft(on: clock(), at: time(20.5)) == nil)
  }

  @Test("is not shown after the program has left the cue's room")
  func otherRoom() throws {
    let run = Run(try RunOptions(arguments: ["--offline"]))
    let server = SessionServer()
    try server.join(JoinOptions(room: "Lab", name: "Ada", program: "test"), in: run)
    defer { server.leave() }
    try server.request { core, now throws(SessionRefusal) in
      try core.play(.cue(SessionCue(.comeIn)), to: .crowd(.everyone), now: now)
    }
    for _ in 0..<100 where server.cue.withLock({ $0 }) == nil {
      run.frameClock?.advance(frames: 4_800)
      run.input.service(until: run.clock.now)
    }
    #expect(server.cue.withLock { $0 }?.cue == SessionCue(.comeIn))
    server.leave()
    #expect(server.cue.withLock { $0 } == nil)
  }

  @Test("ignores events that are not cues")
  func others() {
    let heard = SessionHeard(from: MemberID(1), play: .hit(SessionHit(force: 1)), time: time(0))
    #expect(PendingCue(heard, on: clock()) == nil)
  }
}
