import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("One timeline for all")
struct MusicTests {
  @Test(
    "a member that joins in the middle knows everything within 2 s, and shows no beat but the room's",
    arguments: [SimulatedNetwork.wire, .goodWiFi, .badWiFi])
  func late(network: SimulatedNetwork) throws {
    var orchestra = VirtualOrchestra.room(5, on: network)
    orchestra.crash(4)
    try orchestra.start(0) { ($0.tempo, $0.meter) = (97, Meter(7, 8) ?? .common) }
    orchestra.pass(7)
    orchestra.join(4)
    for _ in 0..<200 {
      orchestra.pass(0.01)
      if let beatSpread = orchestra.beatSpread([0, 4]) { #expect(beatSpread < 60) }
    }
    #expect(orchestra.core(4).state == orchestra.core(0).state)
    #expect(orchestra.conductor(4) == orchestra.id(0))
    #expect(orchestra.core(4).roster(at: orchestra.host(4)).count == 5)
    #expect(try #require(orchestra.beatSpread([0, 1, 2, 3, 4])) < 3)
  }

  @Test(
    "a change of tempo happens at the same beat for all, without any jump",
    arguments: [SimulatedNetwork.wire, .goodWiFi], [0.0, 8])
  func tempo(network: SimulatedNetwork, ramp: Double) throws {
    var orchestra = VirtualOrchestra.room(6, on: network)
    try orchestra.start(0)
    orchestra.pass(20)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setTempo(180, over: ramp, at: .bar, now: now)
    }
    var tempi: [Set<Double>] = Array(repeating: [], count: 6)
    for _ in 0..<800 {
      orchestra.pass(0.01)
      #expect(try #require(orchestra.beatSpread(Array(0..<6))) < 0.5)
      for index in 0..<6 {
        guard let tempo = orchestra.members[index].tempo(atNanoseconds: orchestra.now) else { continue }
        tempi[index].insert(tempo)
        // Before the line it is the old one.
        if ramp == 0 { #expect(tempo == 120 || tempo == 180) }
      }
    }
    for index in 0..<6 { #expect(tempi[index].contains(120) && tempi[index].contains(180)) }
    let starts = Set((0..<6).compactMap { orchestra.core($0).beatClock.timeline?.last.start })
    #expect(starts.count == 1)
    let beat = try #require(orchestra.core(5).beatClock.timeline?.last.beat)
    #expect(abs(beat / 4 - (beat / 4).rounded()) < 1e-6)
  }

  @Test("all show the same bar through tempo, meter, stop and start", arguments: 1...5 as ClosedRange<UInt64>)
  func all(seed: UInt64) throws {
    var orchestra = VirtualOrchestra.room(4, on: .goodWiFi, seed: seed)
    try orchestra.start(2) { ($0.bar, $0.countIn) = (5, 1) }
    orchestra.pass(1)
    #expect(orchestra.core(0).beatClock.position(at: orchestra.host(0))?.bar == 4)
    let waltz = try #require(Meter("3/4"))
    _ = try orchestra.act(2) { core, now throws(SessionRefusal) in
      try core.setMeter(waltz, now: now)
      try core.setTempo(150, over: 4, at: .bar, now: now)
    }
    orchestra.pass(6)
    let places = (0..<4).map { orchestra.core($0).beatClock.position(at: orchestra.host($0)) }
    #expect(Set(places.map { $0?.bar }).count == 1)
    #expect(places.allSatisfy { $0?.meter == waltz })
    _ = try orchestra.act(2) { core, now throws(SessionRefusal) in try core.stop(at: .bar, now: now) }
    orchestra.pass(3)
    #expect(Set((0..<4).map { orchestra.beat($0) }).count == 1)
    try orchestra.start(0)
    orchestra.pass(2)
    #expect(
      Set((0..<4).map { orchestra.core($0).beatClock.position(at: orchestra.host($0))?.bar }).count == 1)
    #expect(try #require(orchestra.beatSpread([0, 1, 2, 3])) < 0.5)
  }

  /// Creates two groups of three that have never met, each with its own rhythm.
  private func twoParts(seed: UInt64) throws -> VirtualOrchestra {
    var orchestra = VirtualOrchestra(count: 6, network: .goodWiFi, seed: seed)
    orchestra.parts = [0, 0, 0, 1, 1, 1]
    for index in 0..<6 { orchestra.join(index) }
    orchestra.pass(3)
    try orchestra.start(0) { $0.tempo = 110 }
    try orchestra.start(4) { $0.tempo = 130 }
    orchestra.pass(5)
    // The second part's music is newer.
    _ = try orchestra.act(4) { core, now throws(SessionRefusal) in try core.stop(now: now) }
    orchestra.pass(1.5)
    try orchestra.start(5) { $0.tempo = 140 }
    orchestra.pass(2)
    return orchestra
  }

  @Test(
    "two parts that both play continue when they meet, and merge at a bar line when either conductor decides",
    arguments: [true, false], 1...5 as ClosedRange<UInt64>)
  func healing(isNewerJoined: Bool, seed: UInt64) throws {
    var orchestra = try twoParts(seed: seed)
    orchestra.parts = Array(repeating: 0, count: 6)
    var laws = SessionLaws(count: 6)
    for _ in 0..<600 {
      orchestra.pass(0.02)
      laws.check(in: orchestra)
    }
    for index in 0..<6 {
      #expect(orchestra.members[index].tempo(atNanoseconds: orchestra.now) == (index < 3 ? 110 : 140))
      let reports = orchestra.members[index].events.count {
        if case .apart = $0.event { true } else { false }
      }
      #expect(reports == 1)
    }
    let join = { (core: inout SessionCore, now: HostTime) throws(SessionRefusal) in
      try core.joinOtherPart(now: now)
    }
    #expect(orchestra.refusal(1, join) == .conducted(by: "p1"))
    _ = try orchestra.act(isNewerJoined ? 0 : 5, join)
    for _ in 0..<1000 {
      orchestra.pass(0.02)
      laws.check(in: orchestra)
    }
    #expect(laws.broken == [])
    #expect(SessionLaws.disagreement(in: orchestra) == [])
    let tempo = isNewerJoined ? 140.0 : 110
    for index in 0..<6 { #expect(orchestra.members[index].tempo(atNanoseconds: orchestra.now) == tempo) }
    for index in isNewerJoined ? 0..<3 : 3..<6 {
      let events = orchestra.members[index].events.map(\.event)
      #expect(events.contains { if case .merging = $0 { true } else { false } })
      #expect(events.contains(.merged))
    }
    for index in isNewerJoined ? 3..<6 : 0..<3 {
      #expect(!orchestra.members[index].events.contains { $0.event == .merged })
    }
    for index in 0..<6 { #expect(orchestra.core(index).partBeside == nil) }
    #expect(orchestra.refusal(0, join)?.description == "no other part of the room is heard: all are together")
  }

  @Test(
    "a lone laptop that starts and stops does not stop an orchestra, with --conductor-only or not",
    arguments: [false, true], 1...6 as ClosedRange<UInt64>)
  func loneLaptop(isReserved: Bool, seed: UInt64) throws {
    let teacher = MemberID(0xAD)
    var orchestra = VirtualOrchestra(count: 3, network: .wire, seed: seed)
    for index in 0..<2 {
      orchestra.configure(index) {
        if isReserved { $0.only = teacher }
        if index == 0 { $0.identity.installation = teacher }
      }
    }
    orchestra.parts = [0, 0, 1]
    orchestra.join(0)
    orchestra.join(2)
    orchestra.pass(1)
    try orchestra.start(0) { $0.tempo = 100 }
    orchestra.pass(1)
    try orchestra.set(.monarchic(teacher), by: 0)
    orchestra.join(1)
    orchestra.pass(2)
    for _ in 0..<2 {
      try orchestra.start(2)
      orchestra.pass(1)
      _ = try orchestra.act(2) { core, now throws(SessionRefusal) in try core.stop(now: now) }
      orchestra.pass(1)
    }
    orchestra.parts = [0, 0, 0]
    for _ in 0..<100 {
      orchestra.pass(0.1)
      #expect(orchestra.isPlaying(0) && orchestra.isPlaying(1))
    }
    for index in 0..<3 {
      #expect(orchestra.members[index].tempo(atNanoseconds: orchestra.now) == 100)
      #expect(orchestra.conductor(index) == orchestra.id(0))
      #expect(orchestra.core(index).state.policy.gates == .monarchic(teacher))
    }
  }

  @Test("a fake part that is never ready to be joined keeps no member from the true one")
  func madeUp() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(0)
    orchestra.pass(5)
    orchestra.parts = [0, 0, 1]
    orchestra.pass(3)
    let there = SessionEndpoint(high: 0x0A00_0099 << 32, port: 6450)
    let evil = MemberID(0xE)
    let base = TimeBase(lineage: evil, founded: 1, term: 0, keeper: evil)
    for step in 0..<60 {
      _ = orchestra.act(2) { core, now in
        var summary = StateSummary(
          version: StateVersion(counter: .max / 2, holder: evil, revision: 1), base: base,
          pulse: Int32(step), stratum: 0)
        summary.standing = PartStanding(isPlaying: true, rank: 2, members: 200)
        guard case .hello(var hello) = Sample.hello(evil) else { return }
        (hello.summary, hello.sent) = (summary, now)
        core.handshake(.hello(hello), at: there, now: now)
      }
      orchestra.pass(0.3)
      if step == 10 { orchestra.parts = [0, 0, 0] }
    }
    #expect(try #require(orchestra.beatSpread([0, 1, 2])) < 0.2)
    #expect(Set((0..<3).map { orchestra.core($0).base }).count == 1)
  }

  @Test(
    "a killed member is back in its room's music within 2 s, by itself, although it kept the clock",
    arguments: 1...20 as ClosedRange<UInt64>)
  func restart(seed: UInt64) throws {
    var orchestra = VirtualOrchestra.room(3, seed: seed)
    try orchestra.start(0)
    orchestra.pass(4)
    orchestra.crash(0)
    orchestra.pass(0.7)
    orchestra.join(0)
    orchestra.pass(2)
    let beatSpread = orchestra.beatSpread([0, 1, 2])
    #expect(try #require(beatSpread) < 0.5)
  }
}
