import MoCore
import MoSessionCore
import Testing

@Suite("The addresses of a member")
struct AddressesTests {
  private static let four = SessionEndpoint(high: 0xC0A8_0105 << 32, port: 7000)
  private static let six = SessionEndpoint(high: 0xFE80 << 48, low: 5, scope: 2, port: 7000, isIPv6: true)
  private static let receiver = SessionEndpoint(
    high: 0xFE80 << 48, low: 9, scope: 2, port: 7000, isIPv6: true)

  private var core = SessionCore(
    SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)

  /// Receives a hello to all, which proves nothing by itself; returns the addresses to which something was sent.
  private mutating func receive(
    _ id: MemberID = Sample.other, from endpoint: SessionEndpoint, at seconds: Double
  )
    -> [SessionEndpoint]
  {
    let now = HostTime(seconds: seconds)
    core.tick(at: now)
    _ = core.drainOutgoing()
    core.receive(Sample.hello(id).encoded(), from: endpoint, at: now, now: now)
    return core.drainOutgoing().compactMap {
      if case .one(let endpoint) = $0.destination { endpoint } else { nil }
    }
  }

  private mutating func handshake(
    _ id: MemberID = Sample.other, at endpoint: SessionEndpoint, _ seconds: Double
  ) {
    let now = HostTime(seconds: seconds)
    core.tick(at: now)
    core.handshake(Sample.hello(id), at: endpoint, now: now)
    _ = core.drainOutgoing()
  }

  @Test("a member heard by IPv4 and IPv6 is one member, at its first address")
  mutating func both() {
    handshake(at: Self.four, 0)
    #expect(receive(from: Self.six, at: 0.1) == [Self.six], "asked to return a number")
    handshake(at: Self.six, 0.2)
    #expect(core.members.count == 1)
    #expect(core.members[Sample.other]?.endpoint == Self.four)
    #expect(core.members[Sample.other]?.addresses.endpoints == [Self.four, Self.six])
    for second in 1...20 {
      #expect(!receive(from: Self.six, at: Double(second)).contains(Self.four), "no address is asked again")
      _ = receive(from: Self.four, at: Double(second) + 0.01)
    }
    #expect(core.members[Sample.other]?.endpoint == Self.four)
  }

  @Test(
    "a killed program takes its old place, whether its new start is heard by IPv4 or by IPv6 first",
    arguments: [4, 6])
  func killed(first: Int) {
    var tests = self
    let (earlier, member) = (MemberID(70), MemberID(71))
    tests.handshake(earlier, at: Self.four, 0)
    tests.handshake(earlier, at: Self.six, 0)
    guard case .hello(var hello) = Sample.hello(member) else { return }
    hello.replaced = earlier
    tests.core.handshake(.hello(hello), at: first == 4 ? Self.four : Self.six, now: HostTime(seconds: 1))
    #expect(tests.core.members[earlier] == nil)
    #expect(tests.core.members.count == 1 && tests.core.members[member] != nil)
  }

  @Test("if the address in use falls silent the other replaces it, and the member stays")
  mutating func changeover() {
    handshake(at: Self.four, 0)
    handshake(at: Self.six, 0)
    _ = receive(from: Self.four, at: 1)
    for second in 2...6 { _ = receive(from: Self.six, at: Double(second)) }
    #expect(core.members[Sample.other]?.endpoint == Self.six)
    #expect(!core.drainEvents().contains { if case .left = $0 { true } else { false } })
  }

  @Test("a member that falls silent is asked for an answer at all its addresses")
  mutating func asked() {
    handshake(at: Self.four, 0)
    handshake(at: Self.six, 0)
    var asked: Set<SessionEndpoint> = []
    while let now = Optional(core.nextTick), now < HostTime(seconds: 10) {
      core.tick(at: now)
      for case .one(let endpoint) in core.drainOutgoing().map(\.destination) { asked.insert(endpoint) }
    }
    #expect(asked == [Self.four, Self.six])
    #expect(core.members.isEmpty)
  }

  @Test("an address that has not returned its token redirects no member")
  mutating func forged() {
    handshake(at: Self.four, 0)
    for second in 1...10 { _ = receive(from: Self.six, at: Double(second)) }
    #expect(core.members[Sample.other]?.addresses.contains(Self.six) != true)
  }

  @Test("the number of a member's addresses is bounded, and they make room for new ones with time")
  mutating func bounded() {
    for index in 0..<100 as Range<UInt64> {
      handshake(at: Self.four, 0)
      handshake(at: SessionEndpoint(high: 0xFE80 << 48, low: index, scope: 2, port: 7000, isIPv6: true), 0)
    }
    #expect(core.members[Sample.other]?.addresses.endpoints.count == 6)
    for second in 1...12 { _ = receive(from: Self.four, at: Double(second)) }
    handshake(at: Self.receiver, 12)
    #expect(core.members[Sample.other]?.addresses.contains(Self.receiver) == true)
  }

  @Test("a machine with any number of IPv6 addresses cannot fill the room")
  mutating func network() {
    for index in 1...300 as ClosedRange<UInt64> {
      handshake(
        MemberID(index << 20),
        at: SessionEndpoint(high: 0xFE80 << 48, low: index, scope: 2, port: 7000, isIPv6: true), 0)
    }
    #expect(core.members.count == 128)
    handshake(MemberID(7), at: Self.four, 0)
    #expect(core.members[MemberID(7)] != nil)
    let elsewhere = SessionEndpoint(high: 0xFE80 << 48, low: 5, scope: 3, port: 7000, isIPv6: true)
    handshake(MemberID(8), at: elsewhere, 0)
    #expect(core.members[MemberID(8)] != nil, "the same address by another interface is another machine")
  }

  @Test("a link-local address is relayed only on its link, and without the interface")
  func relayedAddresses() throws {
    let addresses = MemberAddresses(Self.six, now: .zero)
    #expect(addresses.relayEndpoint(for: nil) == nil)
    #expect(addresses.relayEndpoint(for: Self.four) == nil)
    #expect(
      addresses.relayEndpoint(
        for: SessionEndpoint(high: 0xFE80 << 48, low: 9, scope: 3, port: 1, isIPv6: true)) == nil)
    #expect(addresses.relayEndpoint(for: Self.receiver) == Self.six)
    let place = try #require(
      RelayedMember.list(RelayedMember.bytes(of: [RelayedMember(member: Sample.other, endpoint: Self.six)]))
        .first)
    #expect(place.endpoint?.scope == 0)
    // The receiver's interface to the same link may have another number.
    let relay = SessionEndpoint(high: 0xFE80 << 48, low: 1, scope: 7, port: 1, isIPv6: true)
    let here = try #require(place.endpoint?.relayed(by: relay))
    #expect(here.scope == 7 && here.low == Self.six.low && here.isNear(relay))
    #expect(place.endpoint?.relayed(by: Self.four).isNear(Self.four) == false)
  }

  @Test("of several addresses the receiver gets one that it can use")
  func usable() {
    var addresses = MemberAddresses(Self.four, now: .zero)
    addresses.receive(Self.six, timeout: 2, now: .zero)
    #expect(addresses.relayEndpoint(for: nil) == Self.four)
    #expect(addresses.relayEndpoint(for: Self.four) == Self.four)
    #expect(addresses.relayEndpoint(for: Self.receiver) == Self.six)
  }

  @Test("reports once a member that others hear and this member does not")
  mutating func outOfReach() throws {
    handshake(at: Self.four, 0)
    let far = MemberID(0xFA)
    func telling(_ core: SessionCore) -> [UInt8] {
      guard case .hello(var hello) = Sample.hello() else { return [] }
      hello.others = [RelayedMember(member: far, endpoint: nil)]
      return SessionMessage.hello(hello).encoded()
    }
    var counts: [Int] = []
    for second in 1...30 {
      let now = HostTime(seconds: Double(second))
      core.receive(telling(core), from: Self.four, at: now, now: now)
      core.tick(at: now)
      for case .outOfReach(let count) in core.drainEvents() { counts.append(count) }
    }
    #expect(counts == [1])
    #expect(core.outOfReach == 1)
    for second in 31...60 { _ = receive(from: Self.four, at: Double(second)) }
    #expect(core.outOfReach == 0)
  }
}
