import MoCore
import Testing

@testable import MoSessionCore

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
        hello.said = HostTime(seconds: 8)
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
        room.clocks[index].succeed(room.rosters[index], at: now, &out)
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
}
