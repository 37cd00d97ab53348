import MoTime
import Testing

@testable import MoSessionCore

@Suite("Reading the keeper's time from who conducts")
struct RelayTests {
  @Test(
    "of forty whose founder does not conduct, the clocks are half as far apart as by the keeper's answers alone",
    arguments: [SimulatedNetwork.wire, .goodWiFi])
  func forty(network: SimulatedNetwork) throws {
    var spreads: [Double] = []
    for crowd in [Int.max, 10] {
      var orchestra = VirtualOrchestra.room(40, on: network) { $1.crowd = crowd }
      orchestra.pass(5)
      #expect(orchestra.relays == [])
      try orchestra.start(7)
      orchestra.pass(20)
      let before = orchestra.members
      spreads.append(orchestra.spreadOfTime(over: 20))
      #expect(orchestra.keepers == [0])
      for index in 0..<40 {
        let sent = orchestra.members[index].sent
        #expect(sent.toAll - before[index].sent.toAll <= 21)
        if index != 7 { #expect(sent.datagrams - before[index].sent.datagrams <= 20 * 25) }
        let isTold = crowd == 10 && index != 0 && index != 7
        #expect(orchestra.core(index).sync.relay == (isTold ? orchestra.id(7) : nil))
      }
    }
    #expect(spreads[1] < 0.5 * spreads[0], "\(spreads) ms")
  }

  @Test("eight go by the keeper's own answers")
  func few() throws {
    var orchestra = VirtualOrchestra.room(8, on: .goodWiFi)
    try orchestra.start(3)
    orchestra.pass(20)
    #expect(orchestra.relays == [])
  }

  @Test("when the conductor dies all go by the keeper, then by who takes the baton, and no beat jumps")
  func death() throws {
    var orchestra = VirtualOrchestra.room(16, on: .goodWiFi)
    try orchestra.start(3)
    orchestra.pass(20)
    #expect(orchestra.relays == [orchestra.id(3)])
    let others = (0..<16).filter { $0 != 3 }
    var watch = Watch()
    watch.look(at: orchestra, others)
    orchestra.crash(3)
    watch.pass(5, of: &orchestra, others)
    #expect(orchestra.relays == [])
    _ = try orchestra.act(5) { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
    watch.pass(20, of: &orchestra, others)
    #expect(orchestra.relays == [orchestra.id(5)])
    #expect(watch.jump < 0.1)
    #expect(!watch.hasFallenBack)
  }

  @Test("when the keeper dies under a conductor who tells its time, no beat jumps")
  func deathOfKeeper() throws {
    var orchestra = VirtualOrchestra.room(16, on: .goodWiFi)
    try orchestra.start(3)
    orchestra.pass(20)
    let others = Array(1..<16)
    var watch = Watch()
    watch.look(at: orchestra, others)
    orchestra.crash(0)
    watch.pass(20, of: &orchestra, others)
    #expect(orchestra.keepers.count == 1)
    #expect(watch.jump < 0.1)
    #expect(!watch.hasFallenBack)
    #expect(try #require(orchestra.apart(others)) < 0.5)
  }

  @Test(
    "when the conductor's clock steps no other beat jumps, wherever in the bar",
    arguments: [0.3, -0.3, 0.03], [0, 0.4, 0.8, 1.2, 1.6])
  func step(seconds: Double, phase: Double) throws {
    var orchestra = VirtualOrchestra.room(16, on: .goodWiFi)
    try orchestra.start(3)
    orchestra.pass(20 + phase)
    #expect(orchestra.relays == [orchestra.id(3)])
    let others = (0..<16).filter { $0 != 3 }
    var watch = Watch()
    watch.look(at: orchestra, others)
    orchestra.step(3, bySeconds: seconds)
    watch.pass(5, of: &orchestra, others)
    #expect(watch.jump < 0.1)
    #expect(!watch.hasFallenBack)
  }

  @Test("members that know nothing of this hold one beat with those that do")
  func mixed() throws {
    var orchestra = VirtualOrchestra.room(24, on: .goodWiFi) { $1.crowd = $0.isMultiple(of: 2) ? 10 : .max }
    try orchestra.start(7)
    orchestra.pass(20)
    #expect(orchestra.relays == [orchestra.id(7)])
    for _ in 0..<100 {
      orchestra.pass(0.1)
      #expect(try #require(orchestra.apart(Array(0..<24))) < 1)
    }
  }

  @Test("nobody reads the time from one who does not conduct by its own word, or knows it worse")
  func refused() throws {
    var orchestra = VirtualOrchestra.room(16, on: .goodWiFi)
    try orchestra.start(3)
    orchestra.pass(20)
    let (conductor, own, now) = (orchestra.id(3), orchestra.id(5), orchestra.host(5))
    var core = orchestra.core(5)
    core.chooseRelay(at: now)
    #expect(core.sync.relay == conductor)
    // It may go by somebody else's answers itself: by ours, even.
    core.members[conductor]?.brief.version.holder = own
    core.chooseRelay(at: now)
    #expect(core.sync.relay == nil)

    core = orchestra.core(5)
    core.members[conductor]?.report.symmetricMilliseconds = 1000
    core.chooseRelay(at: now)
    #expect(core.sync.relay == nil)

    core = orchestra.core(5)
    core.members[conductor]?.brief.base?.lineage = own
    core.chooseRelay(at: now)
    #expect(core.sync.relay == nil)
  }
}

extension VirtualOrchestra {
  /// By whom the keeper's time is told.
  fileprivate var relays: Set<MemberID> { Set(members.compactMap { $0.core?.sync.relay }) }

  /// How far all clocks lie apart in 95 of 100 moments of some seconds to come, in milliseconds.
  fileprivate mutating func spreadOfTime(over seconds: Double) -> Double {
    var spreads: [Double] = []
    for _ in 0..<Int(seconds * 20) {
      pass(0.05)
      let times = members.indices.map { core($0).beatClock.sessionTime(at: host($0)).nanoseconds }
      spreads.append(Double((times.max() ?? 0) - (times.min() ?? 0)) * 1e-6)
    }
    return spreads.sorted()[spreads.count * 95 / 100]
  }
}
