import MoCore
import MoSessionCore
import MoSessionSimulation
import Testing

extension VirtualOrchestra {
  /// Returns the name of a member as another shows it.
  func name(of other: Int, by index: Int) -> String? {
    core(index).roster(at: host(index)).first { $0.identity.member == id(other) }?.displayName
  }
}

@Suite("Names and rights of installations")
struct InstallationTests {
  @Test("a later member with a taken name does not get it, whatever its installation")
  func names() throws {
    var orchestra = VirtualOrchestra.room(2) { index, settings in
      settings.identity.name = index == 0 ? "Ada" : "Bob"
      settings.identity.installation = MemberID(UInt64(1000 - index))
    }
    orchestra.pass(3)
    var impostor = Sample.identity(MemberID(5))
    // The lowest installation: by its order, and by the member's, it would be the first.
    (impostor.installation, impostor.started) = (MemberID(1), 0)
    func handshake(_ identity: SessionIdentity) {
      guard case .hello(var hello) = Sample.hello() else { return }
      hello.identity = identity
      _ = orchestra.act(1) { core, now in
        core.handshake(.hello(hello), at: FuzzTests.endpoint(UInt16(identity.member.bits)), now: now)
      }
    }
    handshake(impostor)
    #expect(orchestra.name(of: 0, by: 1) == "Ada")
    try orchestra.play(1, .hit(SessionHit(force: 1)), to: .member("Ada"))
    orchestra.pass(0.2)
    #expect(orchestra.heard(0).count == 1)
    // Nor while the first is away; and the first has it again.
    orchestra.crash(0)
    orchestra.pass(8)
    var third = impostor
    (third.member, third.installation) = (MemberID(6), MemberID(2))
    handshake(third)
    let shown = orchestra.core(1).roster(at: orchestra.host(1))
    #expect(!shown.contains { $0.displayName == "Ada" })
    orchestra.join(0)
    orchestra.pass(1)
    #expect(orchestra.name(of: 0, by: 1) == "Ada")
  }

  @Test(
    "a newcomer numbers members of one name as earlier members do, and no member gets another's name")
  func newcomer() {
    var orchestra = VirtualOrchestra(count: 4, network: .wire, seed: 3)
    for index in 0..<4 {
      orchestra.configure(index) {
        $0.identity.name = index == 2 ? "Ada 2" : "Ada"
        // The later, the lower.
        $0.identity.installation = MemberID(UInt64(100 - index))
      }
      orchestra.join(index)
      orchestra.pass(5)
    }
    for index in 0..<4 {
      #expect(orchestra.name(of: 0, by: index) == "Ada", "\(index)")
      #expect(orchestra.name(of: 1, by: index) == "Ada 2", "\(index)")
      #expect(orchestra.name(of: 2, by: index) == "Ada 2 2", "\(index)")
      #expect(orchestra.name(of: 3, by: index) == "Ada 3", "\(index)")
    }
  }

  @Test("names of ten thousand members that come and go are not all kept")
  func bounded() {
    var names = MemberNames(now: .zero)
    for number in 1...10_000 {
      let now = HostTime(seconds: 10 + Double(number) * 1e-3)
      let id = MemberID(UInt64(number))
      var identity = Sample.identity(id, "n\(number)")
      identity.installation = id
      names.assign(identity, among: [], at: now)
      names.reserve(id, at: now)
    }
    #expect(names.count <= 257)
    names.forget(at: HostTime(seconds: 10_000))
    #expect(names.count == 0)
  }

  @Test(
    "members that share an installation on two machines are reported, and a closed gate applies to them"
  )
  func shared() throws {
    var orchestra = VirtualOrchestra.room(3) { index, settings in
      settings.identity.machine = UInt64(index + 1)
      if index < 2 { settings.identity.installation = MemberID(0xBEEF) }
    }
    let pair = SharedInstallation(
      installation: MemberID(0xBEEF), members: [orchestra.id(0), orchestra.id(1)].sorted())
    for index in 0..<3 {
      #expect(orchestra.core(index).sharedInstallations == [pair])
      #expect(orchestra.members[index].events.count { $0.event == .shared(pair) } == 1)
    }
    var gates = GateTable()
    gates.set(0, .notes)
    gates.set(0, .modification)
    try orchestra.set(gates, by: 2)
    orchestra.pass(0.5)
    #expect(try orchestra.forces() == [[:], [:], [:]])
    orchestra.crash(1)
    orchestra.pass(8)
    #expect(orchestra.core(0).sharedInstallations.isEmpty)
  }

  @Test("programs of one machine have one installation and no gate between them, without a notice")
  func oneMachine() throws {
    var orchestra = VirtualOrchestra.room(3) { _, settings in
      settings.identity.machine = 7
      settings.identity.installation = MemberID(0xBEEF)
    }
    var gates = GateTable()
    gates.set(0, .notes)
    try orchestra.set(gates, by: 0)
    orchestra.pass(0.5)
    #expect(try orchestra.forces() == [[1: 1, 2: 1], [0: 1, 2: 1], [0: 1, 1: 1]])
    #expect(orchestra.core(0).sharedInstallations.isEmpty)
  }

  @Test("an ignored member stays ignored after a restart, and is heard again when that is undone")
  func ignored() throws {
    var orchestra = VirtualOrchestra.room(2)
    let first = orchestra.id(1)
    _ = try orchestra.act(0) { core, _ throws(SessionRefusal) in try core.setIgnored(true, first) }
    orchestra.crash(1)
    orchestra.pass(6)
    orchestra.join(1)
    orchestra.pass(3)
    let again = orchestra.id(1)
    #expect(again != first)
    try orchestra.play(1, .hit(SessionHit(force: 1)), to: .others)
    orchestra.pass(0.5)
    #expect(orchestra.heard(0).isEmpty)
    _ = try orchestra.act(0) { core, _ throws(SessionRefusal) in try core.setIgnored(false, again) }
    try orchestra.play(1, .hit(SessionHit(force: 1)), to: .others)
    orchestra.pass(0.5)
    #expect(orchestra.heard(0).count == 1)
  }
}
