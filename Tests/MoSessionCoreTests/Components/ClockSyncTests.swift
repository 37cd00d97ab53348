import MoCore
import MoSessionCore
import Testing

@Suite("The shared clock by itself")
struct ClockSyncTests {
  @Test("of members that search for a room at the same time, the first in line founds it")
  func founding() {
    let room = ComponentRoom(4)
    let founders = room.ids.indices.filter { index in
      var (clock, out) = (ClockSync(room.ids[index]), Effects())
      clock.foundIfFirst(room.rosters[index], at: room.now, &out)
      return clock.isKeeper
    }
    #expect(founders == [0])
  }

  @Test("when the keeper is lost, the next in line takes over within a second and the clock does not move")
  func succession() {
    var room = ComponentRoom(4)
    // The keeper falls silent; the others still hear each other, and each knows the shared time.
    let base = room.clocks[0].base
    for index in 1..<4 {
      var ignored = Effects()
      for other in 1..<4 where other != index {
        var hello = ComponentRoom.hello(room.ids[other], base)
        hello.sent = HostTime(seconds: 8)
        hello.report = Report(boundMilliseconds: 1)
        room.rosters[index].update(
          hello, from: ComponentRoom.endpoint(room.ids[other]), now: room.now, &ignored)
      }
      room.clocks[index].beatClock.clock.settle(
        on: ClockEstimate(
          at: room.now, offset: Int64(index) * 1_000_000, rate: 0, errorBound: 0, symmetricBound: 0,
          roundTrip: 0, leastRoundTrip: 0, loss: 0), at: room.now)
    }
    var taken: [Int: Double] = [:]
    let start = room.now
    for tenth in 0...60 {
      let now = start.advanced(bySeconds: Double(tenth) * 0.1)
      for index in 1..<4 where taken.isEmpty {
        var out = Effects()
        for other in 1..<4 where other != index {
          let id = room.ids[other]
          _ = room.rosters[index].receive(from: id, at: ComponentRoom.endpoint(id), now: now, &out)
        }
        let before = room.clocks[index].beatClock.clock.other(at: now)
        room.clocks[index].replaceKeeper(room.rosters[index], at: now, &out)
        if room.clocks[index].isKeeper {
          taken[index] = Double(tenth) * 0.1
          #expect(room.clocks[index].base?.lineage == base?.lineage)
          #expect(room.clocks[index].base?.term == 1)
          #expect(abs(room.clocks[index].beatClock.clock.other(at: now).seconds(since: before)) < 1e-6)
        }
      }
    }
    #expect(Array(taken.keys) == [1])
    #expect(taken[1].map { (1.7...2.8).contains($0) } == true, "\(taken)")
  }

  @Test("a step of the host clock moves every deadline with it")
  func step() {
    var room = ComponentRoom(3)
    let far = room.now.advanced(bySeconds: 500)
    room.clocks[1].base = TimeBase(lineage: room.ids[0], founded: 0, term: 0, keeper: room.ids[0])
    room.clocks[1].chooseMeasured(room.rosters[1], at: room.now)
    #expect(!room.clocks[1].measured.isEmpty)
    room.clocks[1].step(from: room.now, to: far, isAlone: false)
    #expect(room.clocks[1].next == far)
    #expect(!room.clocks[1].isSynced)
  }

  /// Lets a member exchange a ping and a pong with the keeper over a network with 2 ms of delay each way.
  ///
  /// The shared clock is 3 s behind this member's host clock; the keeper's host clock is `ahead` seconds before it.
  ///
  /// - Parameter storing: whether the map in the pong is stored.
  /// - Returns: the time at which the pong arrived.
  private func exchange(
    _ clock: inout ClockSync, with keeper: MemberID, at sent: HostTime, ahead: Double, storing: Bool = true
  ) -> HostTime {
    let (there, back) = (sent.advanced(bySeconds: 0.002 + ahead), sent.advanced(bySeconds: 0.004))
    let session = SessionTime(nanoseconds: sent.advanced(bySeconds: 0.002 - 3).nanoseconds)
    guard let number = clock.measured[keeper]?.ping(at: sent) else { return back }
    let pong = SessionMessage.Pong(
      from: keeper, to: clock.me, number: number, sent: sent, received: there, answered: there,
      summary: StateSummary(version: .none, base: clock.base),
      map: ClockMap(host: there, session: session, rate: 0, bound: 0))
    let isAnswer = clock.receive(pong, at: back)
    #expect(isAnswer)
    if storing { clock.store(pong.map, of: keeper) }
    return back
  }

  /// Lets a member measure the keeper's clock, which is 7 s ahead, and which steps by `step` seconds after two seconds.
  ///
  /// Returns the errors of the shared time by way of the keeper, in milliseconds: the largest before the step, and the
  /// largest after it.
  private func errors(step: Double) -> (before: Double, after: Double) {
    let room = ComponentRoom(2)
    let keeper = room.ids[0]
    var clock = room.clocks[1]
    clock.measured[keeper] = Measurement(now: room.now)
    var errors = (before: 0.0, after: 0.0)
    for tick in 0..<80 {
      let sent = room.now.advanced(bySeconds: Double(tick) * 0.05)
      // A step back makes the next messages look old: their maps are not stored for as long as the step.
      let returned = exchange(
        &clock, with: keeper, at: sent, ahead: 7 + (tick < 40 ? 0 : step),
        storing: tick < 40 || Double(tick - 40) * 0.05 > -step)
      guard let map = clock.maps[keeper],
        let estimate = clock.measured[keeper]?.comparison.estimate(at: returned)
      else { continue }
      let combined = map.combined(with: estimate).other(at: returned)
      let error = abs(combined.seconds(since: returned) + 3) * 1000
      if tick < 40 {
        errors.before = max(errors.before, error)
      } else {
        errors.after = max(errors.after, error)
      }
    }
    return errors
  }

  @Test(
    "a step of the host clock of the member that tells the time does not move the shared time",
    arguments: [0.4, -0.4, 2, -2])
  func steppedSource(step: Double) {
    let errors = errors(step: step)
    #expect(errors.before < 2.1)
    #expect(errors.after < 2.1)
  }

  @Test("a member whose clock is to jump at the next bar line tells others the time after the jump")
  func plannedJump() throws {
    let room = ComponentRoom(2)
    let keeper = room.ids[0]
    var clock = room.clocks[1]
    clock.measured[keeper] = Measurement(now: room.now)
    clock.sync.source = keeper
    var now = room.now
    for tick in 0..<40 {
      now = exchange(
        &clock, with: keeper, at: room.now.advanced(bySeconds: Double(tick) * 0.05), ahead: 7)
    }
    var wrong = try #require(clock.estimate(at: now))
    wrong.offset += 20_000_000
    clock.beatClock.clock.settle(on: wrong, at: now)
    func error() throws -> Double {
      let map = try #require(clock.map(room.rosters[1], at: now))
      return (Double(map.session.nanoseconds &- now.nanoseconds) * 1e-9 + 3) * 1000
    }
    #expect(abs(try error() - 20) < 2.1)
    clock.sync.correctAt = now.advanced(bySeconds: 5)
    #expect(abs(try error()) < 2.1)
  }
}
