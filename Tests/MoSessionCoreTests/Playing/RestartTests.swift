import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Plays around a new start of the rhythm")
struct RestartTests {
  private static let hit = SessionPlay.hit(SessionHit(force: 1))

  /// Returns two members that play beat 9; the first member has announced a start from a bar.
  private func restarting(bar: Int = 1) throws -> VirtualOrchestra {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    orchestra.pass(5)
    try orchestra.start(0) { $0.bar = bar }
    return orchestra
  }

  @Test(
    "a hit just before a new start sounds immediately, not when the new take reaches its beat",
    arguments: [1, 17])
  func soonest(bar: Int) throws {
    var orchestra = try restarting(bar: bar)
    var count = 0
    while let beat = orchestra.beat(0), abs(beat - 9) < 4 {
      let line = (beat * 4).rounded() / 4
      try orchestra.play(0, Self.hit, to: .others, at: .soonest(from: line))
      count += 1
      orchestra.pass(0.01)
    }
    orchestra.pass(1)
    #expect(count > 10)
    let heard = orchestra.members[1].heard
    #expect(heard.count == count)
    for hit in heard {
      #expect(hit.play.late < 0.1)
      #expect(abs(orchestra.sounds(1, hit.play) - hit.seconds) < 0.5)
    }
  }

  @Test("a hit for a beat that a new start cuts off is a hit for the beat of the start", arguments: [1, 17])
  func cutOff(bar: Int) throws {
    var orchestra = try restarting(bar: bar)
    let (before, start) = try #require(orchestra.core(0).beatClock.timeline?.restart)
    try orchestra.play(0, Self.hit, to: .others, at: .beat(before.beat(at: start.start) + 0.3))
    orchestra.pass(1)
    let hit = try #require(orchestra.heard(1).first)
    #expect(hit.beat == start.beat && hit.late == 0)
    let time = orchestra.core(1).beatClock.sessionTime(at: hit.time)
    #expect(abs(time.seconds(since: start.start)) < 0.01)
  }

  @Test("a new start does not drop the hits that were sent before its announcement", arguments: [1, 17])
  func announced(bar: Int) throws {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    orchestra.pass(5)
    let here = try #require(orchestra.beat(0))
    // 0.2 s ahead, before the start; 0.5 s ahead, after the start.
    for beats in [0.4, 1] { try orchestra.play(0, Self.hit, to: .others, at: .beat(here + beats)) }
    try orchestra.start(0) { $0.bar = bar }
    orchestra.pass(1)
    let heard = orchestra.heard(1)
    #expect(heard.map(\.beat) == [here + 0.4, Double(4 * bar - 4)])
    #expect(heard.allSatisfy { $0.late == 0 })
  }

  @Test("after a new start that follows an earlier start within a second, a future hit sounds at its beat")
  func twice() throws {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    while orchestra.beat(0) ?? 0 < 1 { orchestra.pass(0.01) }
    try orchestra.start(0)
    while let beat = orchestra.beat(0), beat > 0.9 { orchestra.pass(0.01) }
    orchestra.pass(0.2)
    let beat = try #require(orchestra.beat(0)) + 0.9
    try orchestra.play(0, Self.hit, to: .others, at: .soonest(from: beat))
    orchestra.pass(1)
    let hit = try #require(orchestra.heard(1).first)
    #expect(hit.beat == beat && hit.late == 0)
  }

  @Test("a hit that is played before a new start, for a beat after it, sounds at this beat")
  func ahead() throws {
    var orchestra = try restarting()
    try orchestra.play(0, Self.hit, to: .others, at: .soonest(from: 0.5))
    orchestra.pass(2)
    let hit = try #require(orchestra.heard(1).first)
    #expect(hit.beat == 0.5 && hit.late == 0)
    let clock = orchestra.core(1).beatClock
    #expect(abs(try #require(clock.beat(at: hit.time)) - 0.5) < 0.01)
  }

  @Test("a hit for a beat before a new start, which arrives after this start, is late")
  func late() throws {
    var orchestra = try restarting()
    var last = 0.0
    while let beat = orchestra.beat(1), beat > 4 {
      last = beat
      orchestra.pass(0.01)
    }
    let (sender, receiver, there) = (orchestra.id(0), orchestra.id(1), orchestra.members[0].endpoint)
    _ = orchestra.act(1) { core, now in
      let stamp = PlayStamp(lineage: core.base!.lineage, take: core.state.timeline!.take, beat: last)
      let message = PlayMessage(
        from: sender, to: receiver, stream: 8, number: 1, first: 1, stamp: stamp, play: Self.hit)
      core.receive(SessionMessage.play(message).encoded(), from: there, at: now, now: now)
    }
    orchestra.pass(0.1)
    let hit = try #require(orchestra.heard(1).first)
    #expect(hit.late > 0 && hit.late < 0.1)
  }
}
