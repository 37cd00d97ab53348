import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Plays around a new start of the rhythm")
struct RestartTests {
  private static let hit = SessionPlay.hit(SessionHit(force: 1))

  /// Returns two members that play beat 9; the first member has announced a start from bar 1.
  private func restarting() throws -> VirtualOrchestra {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    orchestra.pass(5)
    try orchestra.start(0)
    return orchestra
  }

  @Test("a hit just before a new start sounds immediately, not when the new take reaches its beat")
  func soonest() throws {
    var orchestra = try restarting()
    var count = 0
    while let beat = orchestra.beat(0), beat > 4 {
      let line = (beat * 4).rounded() / 4
      try orchestra.play(0, Self.hit, to: .others, at: .soonest(from: line))
      count += 1
      orchestra.pass(0.01)
    }
    orchestra.pass(1)
    #expect(count > 10)
    let heard = orchestra.members[1].heard
    #expect(heard.count == count)
    for hit in heard { #expect(abs(orchestra.sounds(1, hit.play) - hit.seconds) < 0.5) }
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
