import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Finding each other")
struct DiscoveryTests {
  @Test("all members know each other within a second of joining, and one keeps the clock")
  func found() {
    var orchestra = VirtualOrchestra(count: 6, network: .wire)
    for index in 0..<6 { orchestra.join(index) }
    orchestra.pass(1)
    for index in 0..<6 { #expect(orchestra.core(index).roster(at: orchestra.host(index)).count == 6) }
    #expect(orchestra.keepers.count == 1)
    #expect(Set((0..<6).map { orchestra.core($0).base }).count == 1)
  }

  @Test("two rooms founded at the same time agree on one clock", arguments: 1...20 as ClosedRange<UInt64>)
  func race(seed: UInt64) {
    var orchestra = VirtualOrchestra(count: 2, network: .wire, seed: seed)
    orchestra.parts = [0, 1]
    orchestra.join(0)
    orchestra.join(1)
    orchestra.pass(0.6)
    #expect(orchestra.keepers.count == 2)
    orchestra.parts = [0, 0]
    orchestra.pass(3)
    #expect(orchestra.keepers.count == 1)
    #expect(orchestra.core(0).base == orchestra.core(1).base)
  }

  @Test("neighbouring rooms do not hear each other, and list each other")
  func rooms() {
    let orchestra = VirtualOrchestra.room(5) { index, settings in
      settings.room = index < 3 ? "Lab" : "Stage"
    }
    #expect(orchestra.core(0).roster(at: orchestra.host(0)).count == 3)
    #expect(orchestra.core(4).roster(at: orchestra.host(4)).count == 2)
    #expect(orchestra.core(0).otherRooms.map(\.name) == ["Stage"])
    #expect(orchestra.core(0).otherRooms.map(\.members) == [2])
    #expect(orchestra.core(3).otherRooms.map(\.members) == [3])
    #expect(orchestra.keepers.count == 2)
  }

  @Test("hidden members see all, appear in no roster, and are not counted by other rooms")
  func hidden() throws {
    var orchestra = VirtualOrchestra.room(4) { index, settings in
      settings.isHidden = index == 2
      if index == 3 { settings.room = "Stage" }
    }
    #expect(orchestra.core(0).roster(at: orchestra.host(0)).map(\.displayName) == ["p1", "p2"])
    #expect(orchestra.core(2).roster(at: orchestra.host(2)).count == 3)
    #expect(orchestra.core(3).otherRooms.map(\.members) == [2])
    try orchestra.start(0)
    orchestra.pass(1)
    #expect(try #require(orchestra.beatSpread([0, 1, 2])) < 0.2)
  }

  @Test(
    "a player and a watcher: the watcher stays in time when the third, whose clock it was, has left"
  )
  func watcher() throws {
    var orchestra = VirtualOrchestra.room(3) { index, settings in settings.isHidden = index == 2 }
    try orchestra.start(1)
    orchestra.pass(2)
    orchestra.crash(0)
    orchestra.pass(60)
    #expect(orchestra.keepers == [1])
    #expect(try #require(orchestra.beatSpread([1, 2])) < 0.2)
  }

  @Test("a goodbye takes effect immediately, a crash within five seconds")
  func leaving() {
    var orchestra = VirtualOrchestra.room(3)
    _ = orchestra.act(2) { core, now in core.leave(now: now) }
    let (second, third) = (orchestra.id(1), orchestra.id(2))
    orchestra.crash(2)
    orchestra.pass(0.01)
    #expect(orchestra.members[0].events.contains { $0.event == .left(third, said: true) })
    orchestra.crash(1)
    orchestra.pass(5)
    #expect(orchestra.members[0].events.contains { $0.event == .left(second, said: false) })
    #expect(orchestra.core(0).roster(at: orchestra.host(0)).count == 1)
  }

  @Test("members with the same name are numbered")
  func names() {
    let orchestra = VirtualOrchestra.room(3) { _, settings in settings.identity.name = "Ada" }
    let shown = orchestra.core(0).roster(at: orchestra.host(0)).map(\.displayName)
    #expect(shown == ["Ada", "Ada 2", "Ada 3"])
  }

  @Test("datagrams of another version, or of no protocol, are counted and dropped")
  func versions() {
    var orchestra = VirtualOrchestra.room(2)
    let before = orchestra.core(0).counts
    var other = Sample.hello().encoded()
    // The version is the first value: after "/momu/hello" and its types, each padded to four bytes.
    let types = (SessionAddress.hello.types.utf8.count + 1) / 4 * 4 + 4
    other[12 + types + 3] = 7
    _ = orchestra.act(0) { core, now in
      for datagram in [other, other, Array("nonsense".utf8), []] {
        core.receive(datagram, from: FuzzTests.endpoint(1), at: now, now: now)
      }
      core.receive(
        SessionMessage.bye(room: "Stage", from: Sample.other).encoded(), from: FuzzTests.endpoint(1), at: now,
        now: now)
    }
    let counts = orchestra.core(0).counts
    #expect(counts.otherVersion - before.otherVersion == 2)
    #expect(counts.malformed - before.malformed == 2)
    #expect(orchestra.members[0].events.filter { $0.event == .otherVersion(7) }.count == 1)
    #expect(orchestra.core(0).roster(at: orchestra.host(0)).count == 2)
  }

  @Test("a member that hears earlier members only by --peer shares their rhythm")
  func typedOnly() throws {
    var network = SimulatedNetwork.wire
    network.carriesMulticast = false
    var orchestra = VirtualOrchestra(count: 3, network: network)
    let teacher = orchestra.members[2].endpoint
    for index in 0..<2 { orchestra.configure(index) { $0.typed = [teacher] } }
    for index in 0..<3 {
      orchestra.join(index)
      orchestra.pass(2)
    }
    orchestra.pass(6)
    try orchestra.start(2)
    orchestra.pass(2)
    #expect(Set((0..<3).map { orchestra.core($0).base }).count == 1)
    #expect(try #require(orchestra.beatSpread([0, 1, 2])) < 0.2)
    for index in 0..<3 { #expect(orchestra.core(index).members.count == 2) }
  }

  @Test(
    "a member that does not hear the keeper reads the time from a member between them, for minutes",
    arguments: [2, 3, 5])
  func chain(length: Int) throws {
    // Each hears only its neighbours.
    var orchestra = VirtualOrchestra(count: length + 1, network: .goodWiFi)
    let count = length + 1
    for from in 0..<count {
      for to in 0..<count where abs(from - to) > 1 { orchestra.cut.insert(from * count + to) }
    }
    for index in 0..<count {
      orchestra.join(index)
      orchestra.pass(2)
    }
    try orchestra.start(0)
    orchestra.pass(5)
    for _ in 0..<60 {
      orchestra.pass(2)
      #expect(orchestra.keepers == [0])
      #expect(try #require(orchestra.beatSpread(Array(0..<count))) < 1)
    }
    // When the keeper dies the others keep one clock.
    orchestra.crash(0)
    var watch = Watch()
    watch.pass(20, of: &orchestra, Array(1..<count))
    #expect(orchestra.keepers.count == 1)
    #expect(watch.jump < 0.5)
    #expect(Set((1..<count).map { orchestra.core($0).base }).count == 1)
  }

}
