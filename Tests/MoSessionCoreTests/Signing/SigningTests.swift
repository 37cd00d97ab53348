import MoCore
import MoSessionSimulation
import Testing

@testable import MoSessionCore

extension VirtualOrchestra {
  /// Creates members of a locked room, each with its own key.
  static func lockedRoom(
    _ count: Int, on network: SimulatedNetwork = .wire, seed: UInt64 = 1,
    _ configure: (Int, inout SessionCore.Settings) -> Void = { _, _ in }
  ) -> VirtualOrchestra {
    room(count, on: network, seed: seed) { index, settings in
      settings.lock(index + 1)
      configure(index, &settings)
    }
  }

  /// Sends a datagram from one member's address to another, as a modified program would.
  mutating func forge(_ message: SessionMessage, from: Int, to: Int) {
    let endpoint = members[from].endpoint
    _ = act(to) { core, now in
      core.receive(message.encoded(), from: endpoint, at: now, now: now)
    }
  }

  func forged(_ index: Int) -> Int { core(index).counts.forged }
}

@Suite("Signatures in locked rooms")
struct SigningTests {
  /// Returns a state as its writer would write it next, with other gates.
  private func next(after state: SessionState, heldBy holder: MemberID, _ installation: MemberID)
    -> SessionState
  {
    var state = state
    state.begin(state.version.next(heldBy: holder, after: state.version.counter, at: .zero))
    (state.holderInstallation, state.isHeld, state.signature) = (installation, true, nil)
    state.policy.gates = .monarchic(installation)
    return state
  }

  private func sign(_ message: SessionMessage, _ key: TestSigner, to id: MemberID = .nobody) -> SignedMessage
  {
    let body = message.encoded()
    return SignedMessage(
      body: body, seal: key.publicKey + key.sign(SignedMessage.text(body, room: "Lab", to: id)))
  }

  @Test("members with keys meet, conduct, set gates and hand the baton on, and nothing counts as forged")
  func friendly() throws {
    var orchestra = VirtualOrchestra.lockedRoom(4)
    try orchestra.start(0)
    orchestra.pass(1)
    for index in 0..<4 { #expect(orchestra.conductor(index) == orchestra.id(0)) }
    let next = orchestra.id(2)
    _ = try orchestra.act(0) { core, now throws(SessionRefusal) in try core.handOver(to: next, now: now) }
    orchestra.pass(1)
    for index in 0..<4 { #expect(orchestra.conductor(index) == next) }
    try orchestra.set(.monarchic(orchestra.installation(2)), by: 2)
    orchestra.pass(1)
    for index in 0..<4 {
      #expect(orchestra.core(index).state.policy.gates == .monarchic(orchestra.installation(2)))
      #expect(orchestra.forged(index) == 0)
    }
    #expect(SessionLaws.disagreement(in: orchestra) == [])
  }

  @Test("a state stays valid when a third member relays it, even after its writer has left")
  func relayed() throws {
    var orchestra = VirtualOrchestra.lockedRoom(3)
    orchestra.crash(2)
    try orchestra.start(1)
    orchestra.pass(1)
    orchestra.crash(1)
    orchestra.pass(3)
    orchestra.join(2)
    orchestra.pass(3)
    #expect(orchestra.core(2).state == orchestra.core(0).state)
    #expect(orchestra.core(2).state.signature != nil)
    #expect(orchestra.isPlaying(2) && orchestra.forged(2) == 0)
  }

  @Test(
    "a member cannot write a state in another's name: not unsigned, not with its own key, not by changing one"
  )
  func impostor() throws {
    var orchestra = VirtualOrchestra.lockedRoom(3)
    try orchestra.start(0)
    orchestra.pass(1)
    let (ada, state) = (orchestra.id(0), orchestra.core(0).state)
    let forged = next(after: state, heldBy: ada, orchestra.installation(0))
    let message = SessionMessage.state(from: ada, forged)
    let mallory = orchestra.id(2)
    let own = sign(message, TestSigner(3))
    var stolen = own
    stolen.seal.replaceSubrange(0..<32, with: TestSigner(1).publicKey)
    let genuine = try #require(state.signature)
    let transplanted = SignedMessage(body: own.body, seal: genuine.seal)
    for (count, forgery) in [
      SessionMessage.state(from: mallory, forged), .signed(from: mallory, own),
      .signed(from: mallory, stolen),
      .signed(from: mallory, transplanted),
    ].enumerated() {
      orchestra.forge(forgery, from: 2, to: 1)
      #expect(orchestra.forged(1) == count + 1)
      #expect(orchestra.core(1).state == state)
    }
    // The same by its writer's own key is accepted: the signature decides.
    orchestra.forge(.signed(from: mallory, sign(message, TestSigner(1))), from: 2, to: 1)
    #expect(orchestra.core(1).state.policy.gates == forged.policy.gates)
  }

  @Test("a state of another room, or one that was signed as something else, is refused")
  func context() throws {
    var orchestra = VirtualOrchestra.lockedRoom(2)
    try orchestra.start(0)
    orchestra.pass(1)
    let state = next(after: orchestra.core(0).state, heldBy: orchestra.id(0), orchestra.installation(0))
    let body = SessionMessage.state(from: orchestra.id(0), state).encoded()
    let key = TestSigner(1)
    for text in [
      SignedMessage.text(body, room: "Hall", to: .nobody), body,
      SignedMessage.text(body, room: "Lab", to: orchestra.id(1)),
    ] {
      let before = orchestra.forged(1)
      orchestra.forge(
        .signed(from: orchestra.id(0), SignedMessage(body: body, seal: key.publicKey + key.sign(text))),
        from: 0,
        to: 1)
      #expect(orchestra.forged(1) == before + 1)
    }
    #expect(orchestra.core(1).state.policy.gates == .democratic)
  }

  @Test(
    "--conductor-only and gates apply to a member that claims the holder's installation: it is no member")
  func claimed() throws {
    let ada = TestSigner(1).installation
    var orchestra = VirtualOrchestra.lockedRoom(4) { index, settings in
      settings.only = ada
      // The passkey and Ada's installation ID, but not Ada's key.
      if index == 3 { settings.identity.installation = ada }
    }
    for index in 0..<3 {
      #expect(
        orchestra.core(index).members.count == 2 && orchestra.core(index).members[orchestra.id(3)] == nil)
      #expect(orchestra.forged(index) > 0)
    }
    try orchestra.start(0)
    orchestra.pass(1)
    _ = try? orchestra.act(3) { core, now throws(SessionRefusal) in
      try core.start(SessionCore.Beginning(), now: now)
    }
    orchestra.pass(3)
    for index in 0..<3 { #expect(orchestra.conductor(index) == orchestra.id(0)) }
  }

  @Test("a message signed for one member is no proof to another, nor later")
  func proof() throws {
    var orchestra = VirtualOrchestra.lockedRoom(3)
    orchestra.crash(0)
    orchestra.pass(6)
    // Ada's hello as Mallory (2) received it: for Mallory, with Mallory's token.
    guard case .hello(var hello) = Sample.hello() else { return }
    hello.identity.member = MemberID(4711)
    hello.identity.installation = TestSigner(1).installation
    let endpoint = orchestra.members[2].endpoint
    hello.echo = orchestra.core(2).roster.path.token(for: endpoint)
    let forMallory = sign(.hello(hello), TestSigner(1), to: orchestra.id(2))
    orchestra.forge(.signed(from: MemberID(4711), forMallory), from: 2, to: 1)
    #expect(orchestra.core(1).members[MemberID(4711)] == nil)
    // Even with Ben's token, it is for Mallory.
    hello.echo = orchestra.core(1).roster.path.token(for: endpoint)
    let before = orchestra.forged(1)
    orchestra.forge(
      .signed(from: MemberID(4711), sign(.hello(hello), TestSigner(1), to: orchestra.id(2))), from: 2, to: 1)
    #expect(orchestra.core(1).members[MemberID(4711)] == nil)
    #expect(orchestra.forged(1) == before + 1)
    // Only Ada's signature for Ben counts.
    orchestra.forge(
      .signed(from: MemberID(4711), sign(.hello(hello), TestSigner(1), to: orchestra.id(1))), from: 2, to: 1)
    #expect(orchestra.core(1).members[MemberID(4711)] != nil)
  }

  @Test("a member cannot change to another installation while it is here")
  func change() throws {
    var orchestra = VirtualOrchestra.lockedRoom(2)
    guard case .hello(var hello) = Sample.hello() else { return }
    hello.identity = orchestra.members[1].settings.identity
    let before = hello.identity.installation
    hello.identity.installation = TestSigner(1).installation
    orchestra.forge(.hello(hello), from: 1, to: 0)
    #expect(orchestra.core(0).members[orchestra.id(1)]?.identity.installation == before)
    #expect(orchestra.forged(0) == 1)
  }

  @Test(
    "ten thousand false states in a second cost 32 checks, those that are not newer none, and the rest are counted"
  )
  func bounded() throws {
    let checks = TestSigner.Checks()
    var orchestra = VirtualOrchestra.lockedRoom(3) { index, settings in
      if index == 1 { settings.lock(2, checks: checks) }
    }
    try orchestra.start(0)
    orchestra.pass(1.5)
    let state = orchestra.core(0).state
    let old = SessionMessage.signed(from: orchestra.id(2), try #require(state.signature))
    let start = checks.count.load(ordering: .relaxed)
    for _ in 0..<100 { orchestra.forge(old, from: 2, to: 1) }
    #expect(checks.count.load(ordering: .relaxed) == start)
    let new = next(after: state, heldBy: orchestra.id(0), orchestra.installation(0))
    let forged = SessionMessage.signed(
      from: orchestra.id(2), sign(.state(from: orchestra.id(0), new), TestSigner(3)))
    for _ in 0..<10_000 { orchestra.forge(forged, from: 2, to: 1) }
    #expect(checks.count.load(ordering: .relaxed) - start <= VerificationLimit.mostFromOne)
    #expect(orchestra.core(1).counts.unverified >= 10_000 - VerificationLimit.mostFromOne)
    // Ada, at another address, is heard all the time.
    try orchestra.set(.monarchic(orchestra.installation(0)), by: 0)
    orchestra.pass(0.3)
    #expect(orchestra.core(1).state.policy.gates == .monarchic(orchestra.installation(0)))
  }

  @Test("the largest signed state fits into a datagram of IPv6")
  func size() throws {
    var state = Sample.patterned(segments: 3)
    for bar in 8...13 { _ = state.pattern.add(PatternPlan.Entry(bar: Int32(bar), level: 3, total: 0.5)) }
    #expect(state.pattern.count == PatternPlan.most)
    state.ancestors = (1...8).map { StateAncestor(epoch: $0, revision: $0) }
    // A chain of forty members, and as much else as there is room for.
    state.policy.gates = .stairs((1...40).map { MemberID($0) })
    #expect(state.policy.gates.weight(.notes, from: MemberID(39), to: MemberID(40)) == 1)
    for number in 1...SectionLevels.most where state.policy.gates.fits(withSections: number) {
      state.policy.sections.set(0.5, of: "s\(number)")
    }
    #expect(state.policy.sections.entries.count >= 8)
    var other = MemberID(UInt64.max)
    while true {
      var gates = state.policy.gates
      guard gates.set(0.5, .notes, from: other, to: MemberID(1)),
        gates.fits(withSections: state.policy.sections.entries.count)
      else { break }
      (state.policy.gates, other) = (gates, MemberID(other.bits - 1))
    }
    let message = SessionMessage.state(from: Sample.me, state)
    let datagram = SessionMessage.signed(from: Sample.me, sign(message, TestSigner(1))).encoded()
    // 1500 bytes of Ethernet, less 40 and 8 of IPv6 and UDP and 44 of the seal.
    #expect((1300...1408).contains(datagram.count), "\(datagram.count)")
    #expect(try SessionMessage(datagram: message.encoded()) == message)
  }

  @Test("invalid bytes of gates make a state malformed")
  func gates() {
    let gates = GateTable.stairs([MemberID(1), MemberID(2), MemberID(3)])
    let bytes = gates.bytes
    #expect(GateTable(bytes: bytes) == gates && GateTable(bytes: [0]) == GateTable())
    for count in bytes.indices {
      // A cut between two gates is a shorter table.
      #expect(GateTable(bytes: Array(bytes[..<count])) == nil || (count - 25) % 6 == 0 || count == 0)
    }
    #expect(GateTable(bytes: []) == nil)
    #expect(GateTable(bytes: [0, 50, 50, 50, 50, 1, 0]) == nil, "an installation that is not named")
    #expect(GateTable(bytes: [0, 101, 50, 50, 50, 0, 0]) == nil, "a weight above 1")
  }
}
