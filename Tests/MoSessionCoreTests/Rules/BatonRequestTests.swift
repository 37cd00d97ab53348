import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Quick requests, and changes of the baton")
struct BatonTests {
  @Test(
    "stop and start in quick succession leave the rhythm running", arguments: [0, 0.02, 0.4])
  func stopAndStart(pause: Double) throws {
    var orchestra = VirtualOrchestra.room(3, on: .goodWiFi)
    try orchestra.start(0)
    orchestra.pass(3)
    for _ in 0..<2 {
      #expect(orchestra.core(0).announced.isPlaying)
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.stop(now: now) }
      #expect(!orchestra.core(0).announced.isPlaying)
      orchestra.pass(pause)
      try orchestra.start(0)
      orchestra.pass(pause)
    }
    orchestra.pass(3)
    #expect((0..<3).allSatisfy { orchestra.isPlaying($0) && orchestra.conductor($0) == orchestra.id(0) })
    #expect(try #require(orchestra.beatSpread([0, 1, 2])) < 1)
  }

  @Test("six steps of tempo and two of meter in a moment all count, and the next start keeps them")
  func steps() throws {
    var orchestra = VirtualOrchestra.room(2)
    try orchestra.start(0)
    orchestra.pass(3)
    for _ in 0..<6 {
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
        try core.setTempo(core.announced.tempo + 5, now: now)
      }
      orchestra.pass(0.1)
    }
    let meters = [Meter.common, Meter(3, 4)!, Meter(7, 8)!]
    for _ in 0..<2 {
      _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
        let place = meters.firstIndex(of: core.announced.meter)!
        try core.setMeter(meters[(place + 1) % 3], now: now)
      }
    }
    orchestra.pass(4)
    #expect(orchestra.members[1].tempo(atNanoseconds: orchestra.now) == 150)
    #expect(orchestra.core(1).beatClock.position(at: orchestra.host(1))?.meter == Meter(7, 8))
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.stop(now: now) }
    orchestra.pass(3)
    try orchestra.start(1)
    orchestra.pass(1)
    #expect(orchestra.members[0].tempo(atNanoseconds: orchestra.now) == 150)
    #expect(orchestra.core(0).beatClock.position(at: orchestra.host(0))?.meter == Meter(7, 8))
  }

  @Test(
    "a request for the baton is reported to its holder once; all see who hands it over and to whom")
  func ask() throws {
    var orchestra = VirtualOrchestra.room(3, on: .badWiFi)
    try orchestra.start(0)
    orchestra.pass(2)
    let (ada, ben) = (orchestra.id(0), orchestra.id(1))
    _ = try orchestra.act(1) { core, now throws(SessionRefusal) in try core.askForBaton(now: now) }
    orchestra.pass(1)
    #expect(orchestra.members[0].events.count { $0.event == .askedForBaton(by: ben) } == 1)
    #expect(orchestra.members.allSatisfy { $0.heard.isEmpty }, "it is no cue")
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.handOver(to: ben, now: now) }
    orchestra.pass(2)
    for index in 0..<3 {
      let handed = orchestra.members[index].events.count { $0.event == .handed(from: ada, to: ben) }
      #expect(handed == 1 && orchestra.conductor(index) == ben)
    }
  }

  @Test("a request for the baton needs another conductor, and an open gate of the sender")
  func refused() throws {
    var orchestra = VirtualOrchestra.room(3)
    func ask(_ index: Int) -> SessionRefusal? {
      orchestra.refusal(index) { core, now throws(SessionRefusal) in try core.askForBaton(now: now) }
    }
    #expect(ask(1) == .noConductor)
    try orchestra.start(0)
    let king = orchestra.members[0].settings.identity.installation
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in
      try core.setGates(.monarchic(king), now: now)
    }
    orchestra.pass(1)
    #expect(ask(0) == .noConductor)
    #expect(ask(1) == .closed(openers: ["p1"]))
    // Bypasses its own check.
    _ = orchestra.act(1) { core, now in
      for _ in 0..<50 {
        _ = core.post(
          PlayMessage(
            from: core.me, to: core.state.version.holder, stream: 0, number: 0, first: 0, stamp: nil,
            play: .cue(SessionCue(.askForBaton))), at: now)
      }
    }
    orchestra.pass(2)
    #expect(!orchestra.members[0].events.contains { $0.event == .askedForBaton(by: orchestra.id(1)) })
  }

  @Test(
    "a killed program replaces its own member immediately: no second of its name, and its old member is gone"
  )
  func killed() throws {
    var orchestra = VirtualOrchestra.room(3)
    try orchestra.start(1)
    orchestra.pass(2)
    let old = orchestra.id(1)
    orchestra.crash(1)
    orchestra.configure(1) { $0.replaced = old }
    orchestra.pass(0.2)
    orchestra.join(1)
    orchestra.pass(0.5)
    for index in [0, 2] {
      let names = orchestra.core(index).roster(at: orchestra.host(index)).map(\.displayName)
      #expect(names == ["p1", "p2", "p3"], "half a second after the start")
      #expect(orchestra.conductor(index) == nil)
    }
  }

  @Test("a member cannot replace another installation, nor one on another machine")
  func pretended() throws {
    var orchestra = VirtualOrchestra.room(4)
    let (old, other) = (orchestra.id(1), orchestra.members[1].settings.identity.installation)
    orchestra.crash(3)
    orchestra.configure(3) { $0.replaced = old }
    orchestra.join(3)
    orchestra.pass(0.2)
    #expect(orchestra.core(0).members[old] != nil)
    orchestra.crash(3)
    // It claims another installation, and is at another address.
    orchestra.configure(3) { ($0.replaced, $0.identity.installation) = (old, other) }
    orchestra.join(3)
    orchestra.pass(0.2)
    #expect(orchestra.core(0).members[old] != nil)
  }

  @Test("a member that hears no other reports since when, and its largest error; not if all said goodbye")
  func lostContact() throws {
    var orchestra = VirtualOrchestra.room(3, on: .goodWiFi)
    try orchestra.start(0)
    orchestra.pass(5)
    func lost(_ index: Int) -> LostContact? { orchestra.core(index).lostContact(at: orchestra.host(index)) }
    #expect((0..<3).map(lost) == [nil, nil, nil])
    orchestra.parts = [0, 0, 1]
    orchestra.pass(9)
    let contact = try #require(lost(2))
    #expect(contact.seconds > 7 && contact.seconds < 10)
    #expect(try (0.01...20).contains(#require(contact.boundMilliseconds)))
    #expect(lost(0) == nil && lost(1) == nil)
    orchestra.parts = [0, 0, 0]
    orchestra.pass(3)
    #expect(lost(2) == nil)
    for index in 0...1 {
      _ = orchestra.act(index) { core, now in core.leave(now: now) }
      orchestra.crash(index)
    }
    orchestra.pass(5)
    #expect(lost(2) == nil)
  }
}
