import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("Members found by a directory")
struct HintTests {
  /// Creates a room on a network that drops multicast, with a directory that lists all members to all.
  static func hinted(
    _ count: Int, on network: SimulatedNetwork = .wire, room: (Int) -> String = { _ in "Lab" },
    hidden: Int? = nil, listed: String? = nil
  ) -> VirtualOrchestra {
    var network = network
    network.carriesMulticast = false
    var orchestra = VirtualOrchestra(count: count, network: network)
    for index in 0..<count {
      orchestra.configure(index) {
        $0.room = room(index)
        $0.isHidden = index == hidden
        $0.listedRoom = listed
      }
      orchestra.join(index)
    }
    orchestra.pass(0.7)
    for index in 0..<count {
      for other in 0..<count where other != index && other != hidden {
        orchestra.hint(index, of: other)
      }
    }
    return orchestra
  }

  @Test("without multicast all members find each other by the directory, and share one clock")
  func found() {
    var orchestra = Self.hinted(6)
    orchestra.pass(8)
    for index in 0..<6 {
      let others = orchestra.core(index).roster(at: orchestra.host(index)).filter { !$0.isMe }
      #expect(others.count == 5)
      #expect(others.allSatisfy { $0.method == .avahi })
    }
    #expect(orchestra.keepers.count == 1)
  }

  @Test("a locked room is found although directories list it by another name")
  func listed() {
    var orchestra = Self.hinted(3, listed: "locked 17ab")
    orchestra.pass(8)
    for index in 0..<3 { #expect(orchestra.core(index).roster(at: orchestra.host(index)).count == 3) }
  }

  @Test(
    "hinted members stay together for minutes, within 25 packets a second each", arguments: [2, 8, 40],
    [SimulatedNetwork.wire, .badWiFi])
  func heartbeat(count: Int, network: SimulatedNetwork) throws {
    var orchestra = Self.hinted(count, on: network)
    orchestra.pass(30)
    try orchestra.start(0)
    orchestra.pass(5)
    let before = orchestra.members.map(\.sent.datagrams)
    let events = orchestra.members.map(\.events.count)
    orchestra.pass(120)
    for index in 0..<count {
      #expect(orchestra.core(index).roster(at: orchestra.host(index)).count == count)
      let gone = orchestra.members[index].events[events[index]...].filter {
        if case .left = $0.event { true } else { false }
      }
      #expect(gone.isEmpty, "\(index)")
    }
    // The keeper, the conductor and the next in line answer the pings of all.
    let rates = (0..<count).map { Double(orchestra.members[$0].sent.datagrams - before[$0]) / 120 }.sorted()
    #expect(rates.dropLast(3).allSatisfy { $0 < 25 }, "\(rates)")
  }

  @Test("a crashed member is removed within five seconds, and one that says goodbye immediately")
  func leaving() {
    var orchestra = Self.hinted(4)
    orchestra.pass(8)
    orchestra.crash(3)
    orchestra.pass(5)
    #expect(orchestra.core(0).roster(at: orchestra.host(0)).count == 3)
    _ = orchestra.act(2) { core, now in core.leave(now: now) }
    orchestra.crash(2)
    orchestra.pass(0.1)
    #expect(orchestra.core(0).roster(at: orchestra.host(0)).count == 2)
  }

  @Test(
    "an address without an answer is probed more and more seldom, but forever; a withdrawn one no more"
  )
  func silent() {
    var orchestra = VirtualOrchestra(count: 2, network: .wire)
    orchestra.join(0)
    orchestra.pass(1)
    orchestra.hint(0, of: 1)
    // Hellos to all are not counted: multicast each second, broadcast every three.
    var calls: [Int] = []
    for _ in 0..<6 {
      let (all, toAll) = (orchestra.members[0].sent.datagrams, orchestra.members[0].sent.toAll)
      orchestra.pass(60)
      calls.append(
        (orchestra.members[0].sent.datagrams - all) - (orchestra.members[0].sent.toAll - toAll))
    }
    #expect(calls[0] == 6)
    #expect(calls[1...].allSatisfy { (1...2).contains($0) })
    let hint = orchestra.hint(of: 1)
    _ = orchestra.act(0) { core, _ in core.forget(hint) }
    let (all, toAll) = (orchestra.members[0].sent.datagrams, orchestra.members[0].sent.toAll)
    orchestra.pass(120)
    #expect(orchestra.members[0].sent.datagrams - all == orchestra.members[0].sent.toAll - toAll)
  }

  @Test(
    "a clock step in either direction does not change when an address is probed",
    arguments: [-500.0, 500.0])
  func step(seconds: Double) {
    var orchestra = VirtualOrchestra(count: 2, network: .wire)
    orchestra.network.carriesMulticast = false
    orchestra.join(0)
    orchestra.pass(1)
    orchestra.hint(0, of: 1)
    // Probed at 1, 2, 4 and 8 s: the next time is 7 s away.
    orchestra.pass(9)
    orchestra.step(0, bySeconds: seconds)
    orchestra.join(1)
    orchestra.pass(5)
    #expect(orchestra.core(0).members.isEmpty)
    orchestra.pass(5)
    #expect(orchestra.core(0).members.count == 1)
  }

  @Test("of 10,000 addresses 512 are kept, and eight a second probed")
  func flood() {
    var orchestra = VirtualOrchestra(count: 1, network: .wire)
    orchestra.join(0)
    orchestra.pass(1)
    let before = orchestra.members[0].sent
    _ = orchestra.act(0) { core, now in
      for index in 0..<10_000 {
        core.add(
          PeerCandidate(
            member: MemberID(UInt64(index + 5)), room: "Lab",
            endpoint: SessionEndpoint(high: UInt64(index + 5) << 32, port: 7000)), now: now)
      }
      #expect(core.roster.candidates.count == 512)
    }
    orchestra.pass(10)
    let calls =
      (orchestra.members[0].sent.datagrams - before.datagrams)
      - (orchestra.members[0].sent.toAll - before.toAll)
    #expect((75...81).contains(calls))
  }

  @Test("a newcomer is probed immediately, however many addresses do not answer")
  func newcomer() {
    var orchestra = VirtualOrchestra(count: 2, network: .wire)
    orchestra.network.carriesMulticast = false
    for index in 0..<2 { orchestra.join(index) }
    _ = orchestra.act(0) { core, now in
      for index in 0..<600 {
        core.add(
          PeerCandidate(
            member: MemberID(UInt64(index + 5)), room: "Lab",
            endpoint: SessionEndpoint(high: UInt64(index + 5) << 32, port: 7000)), now: now)
      }
    }
    orchestra.pass(100)
    orchestra.hint(0, of: 1)
    orchestra.pass(0.5)
    #expect(orchestra.core(0).roster(at: orchestra.host(0)).count == 2)
    #expect(orchestra.core(0).roster.candidates.count == 512)
  }

  @Test("only a member that lists rooms asks other rooms, and it appears in none of them")
  func rooms() {
    var orchestra = Self.hinted(4, room: { $0 == 3 ? "list" : $0 == 2 ? "Stage" : "Lab" }, hidden: 3)
    orchestra.pass(8)
    #expect(orchestra.core(0).otherRooms.isEmpty)
    #expect(orchestra.core(3).otherRooms.isEmpty)
    _ = orchestra.act(3) { core, _ in core.ask(anyRoom: true) }
    orchestra.pass(3)
    #expect(orchestra.core(3).otherRooms.map(\.name) == ["Lab", "Stage"])
    #expect(orchestra.core(3).otherRooms.map(\.members) == [2, 1])
    #expect(orchestra.core(0).roster(at: orchestra.host(0)).count == 2)
    #expect(orchestra.core(2).otherRooms.isEmpty)
  }

  @Test("a member found by multicast before its turn is not probed, and keeps its method")
  func known() {
    var orchestra = VirtualOrchestra.room(3)
    let before = orchestra.members[0].sent.datagrams - orchestra.members[0].sent.toAll
    orchestra.hint(0, of: 1)
    let method = orchestra.core(0).roster(at: orchestra.host(0)).first { $0.displayName == "p2" }?.method
    orchestra.pass(0.2)
    let hellos = orchestra.members[0].sent.datagrams - orchestra.members[0].sent.toAll - before
    #expect(hellos < 10)
    #expect(
      orchestra.core(0).roster(at: orchestra.host(0)).first { $0.displayName == "p2" }?.method == method)
    #expect(method != .avahi)
    #expect(!orchestra.core(0).roster.candidates.wasProbed(orchestra.id(1)))
  }
}

extension VirtualOrchestra {
  func hint(of other: Int) -> PeerCandidate {
    PeerCandidate(
      member: id(other), room: members[other].settings.listedRoom ?? members[other].settings.room,
      endpoint: members[other].endpoint)
  }

  mutating func hint(_ index: Int, of other: Int) {
    let hint = hint(of: other)
    _ = act(index) { core, now in core.add(hint, now: now) }
  }
}
