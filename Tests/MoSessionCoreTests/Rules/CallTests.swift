import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Calls for silence, and followers")
struct CallTests {
  @Test("a call for silence reaches all once, despite retransmissions, and names the unconfirmed members")
  func panic() {
    var orchestra = VirtualOrchestra.room(5, on: .badWiFi)
    orchestra.parts = [0, 0, 0, 0, 1]
    let called = orchestra.seconds
    orchestra.act(1) { core, now in core.callForSilence(now: now) }
    orchestra.pass(2.2)
    for index in [0, 2, 3] {
      let calls = orchestra.members[index].events.filter { $0.event == .panic(from: orchestra.id(1)) }
      #expect(calls.count == 1)
      #expect(calls.allSatisfy { $0.seconds - called < 1 })
    }
    #expect(orchestra.unconfirmed(1) == ["p5"])
    orchestra.act(1) { core, now in core.callForSilence(now: now) }
    orchestra.pass(2.2)
    #expect(orchestra.members[0].events.count { $0.event == .panic(from: orchestra.id(1)) } == 2)
  }

  @Test("a member that vanishes during a call for silence is named as unconfirmed")
  func panicAsSomebodyGoes() {
    var orchestra = VirtualOrchestra.room(3)
    let lost = orchestra.id(2)
    orchestra.parts = [0, 0, 1]
    orchestra.pass(3)
    orchestra.act(0) { core, now in core.callForSilence(now: now) }
    orchestra.pass(2.2)
    #expect(orchestra.members[0].events.contains { $0.event == .left(lost, said: false) })
    #expect(orchestra.unconfirmed(0) == ["p3"])
  }

  @Test("members that ignore a caller obey its call for silence, too, and share the rhythm")
  func ignored() throws {
    var orchestra = VirtualOrchestra.room(3)
    let ignored = orchestra.id(0)
    _ = try orchestra.act(1) { core, _ throws(SessionRefusal) in try core.setIgnored(true, ignored) }
    orchestra.act(0) { core, now in core.callForSilence(now: now) }
    orchestra.pass(0.5)
    #expect((0..<3).map { orchestra.core($0).isSilenced } == [true, true, true])
    try orchestra.start(0)
    orchestra.pass(2.5)
    #expect((0..<3).map { orchestra.core($0).isSilenced } == [false, false, false])
    #expect(orchestra.unconfirmed(0) == [])
    #expect(try #require(orchestra.beatSpread([0, 1, 2])) < 0.2)
    #expect(orchestra.core(1).roster(at: orchestra.host(1)).count { $0.isIgnored } == 1)
    #expect(
      orchestra.refusal(0) { core, _ throws(SessionRefusal) in try core.setIgnored(true, Sample.other) }?
        .description
        == "no member fedcba9876543210 is here")
  }

  /// Drives a lone member by hand; returns its messages to a follower.
  func followerMessages(_ core: inout SessionCore, from start: Double, for seconds: Double) -> [Outgoing] {
    var beats: [Outgoing] = []
    var now = HostTime(seconds: start)
    while now.seconds < start + seconds {
      core.tick(at: now)
      beats += core.drainOutgoing().filter { $0.datagram.starts(with: Array("/momu/beat".utf8)) }
      now = max(now.advanced(bySeconds: 0.001), core.nextTick)
    }
    return beats
  }

  /// Asks to follow as a program does, which returns the key sent to its port; returns the first message to it.
  @discardableResult
  func ask(_ core: inout SessionCore, from asker: SessionEndpoint, at seconds: Double) -> [Outgoing] {
    let now = HostTime(seconds: seconds)
    core.receive(
      SessionMessage.follow(port: 9000, key: 0).encoded(), from: asker, at: now, now: now)
    let first = core.drainOutgoing()
    for one in first where one.datagram.starts(with: Array("/momu/follow".utf8)) {
      core.receive(one.datagram, from: asker, at: now, now: now)
    }
    return first
  }

  @Test("a program that returns its key gets the beat 20 times a second, for 10 s after its last request")
  func follow() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    let asker = SessionEndpoint(high: 7, port: 5000)
    let sent = ask(&core, from: asker, at: 0)
    #expect(sent.map(\.destination) == [.one(SessionEndpoint(high: 7, port: 9000))])
    let first = followerMessages(&core, from: 0, for: 8)
    #expect((155...161).contains(first.count))
    #expect(first.allSatisfy { $0.destination == .one(SessionEndpoint(high: 7, port: 9000)) })
    ask(&core, from: asker, at: 8)
    let second = followerMessages(&core, from: 8, for: 30)
    #expect((195...201).contains(second.count))
  }

  @Test("a forged request to follow brings its victim one key and no beat")
  func forgedFollower() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    // As scripts ask: without a key.
    let question = Array("/momu/follow\0\0\0\0,i\0\0".utf8) + [0, 0, 0x23, 0x28]
    core.receive(question, from: SessionEndpoint(high: 7, port: 5000), at: .zero, now: .zero)
    let sent = core.drainOutgoing()
    #expect(sent.count == 1)
    #expect(sent.allSatisfy { $0.datagram.count <= 2 * question.count })
    #expect(followerMessages(&core, from: 0, for: 2).isEmpty)
  }

  @Test("sixteen followers receive the beat, and no more until one has left")
  func limit() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    for host in 1...20 as ClosedRange<UInt64> {
      ask(&core, from: SessionEndpoint(high: host, port: 1), at: 0)
    }
    let first = followerMessages(&core, from: 0, for: 1)
    #expect(Set(first.map(\.destination)).count == 16)
    #expect(core.counts.unwanted == 4)
    _ = followerMessages(&core, from: 1, for: 10)
    ask(&core, from: SessionEndpoint(high: 20, port: 1), at: 11)
    #expect(!followerMessages(&core, from: 11, for: 1).isEmpty)
  }
}
