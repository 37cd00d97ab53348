import MoMu
import MoOSC
import MoTime
import Testing

@testable import MoInstruments

@Suite("Those who follow an instrument's parameters")
struct FollowersTests {
  private func address(_ host: Int) throws -> NetAddress {
    try #require(NetAddress(ip: "192.0.2.\(host)", port: 9000))
  }

  @Test("nobody wakes for them until somebody follows")
  func sleeps() throws {
    let followers = Followers(try InstrumentBus().add(Probe()), base: "/momu/probe")
    #expect(followers.nextTime == nil)
    followers.add(try address(1), port: 0)
    #expect(followers.nextTime == nil)
    followers.add(try address(1), port: 9001)
    #expect(followers.nextTime != nil)
  }

  /// Followers, and what each was told.
  private final class Told: Sendable {
    let packets = Guarded<[(packet: OSCPacket, address: NetAddress)]>([])
    func count(_ address: NetAddress) -> Int {
      packets.withLock { $0.filter { $0.address == address }.count }
    }
    var count: Int { packets.withLock { $0.count } }
  }

  /// Ten seconds in which a parameter changes all the time.
  private func tenSeconds(_ followers: Followers, _ handle: InstrumentHandle, each: (Int) throws -> Void)
    throws
  {
    for step in 0..<200 {
      try each(step)
      try handle.set("level", to: Float(step % 10) / 10)
      followers.service(until: HostTime(seconds: 1e6 + Double(step) * 0.05))
    }
  }

  @Test("who has not shown that it hears is told twice a second; with the key that it was told, 20 times")
  func key() throws {
    let handle = try InstrumentBus().add(Probe())
    let told = Told()
    let followers = Followers(handle, base: "/momu/probe") { packet, address in
      told.packets.withLock { $0.append((packet, address)) }
    }
    let (shy, keen, wrong) = (try address(1), try address(2), try address(3))
    try tenSeconds(followers, handle) { step in
      let now = HostTime(seconds: 1e6 + Double(step) * 0.05)
      if step == 0 { for one in [shy, keen, wrong] { followers.add(one, port: 9000, at: now) } }
      guard step == 20 else { return }
      // As it came with the first packet.
      let first = told.packets.withLock { $0.first { $0.address == keen } }
      guard case .bundle(let bundle)? = first?.packet, case .message(let last)? = bundle.elements.last else {
        Issue.record("no key")
        return
      }
      #expect(last.address == "/momu/probe/follow" && bundle.elements.count == handle.parameters.count + 1)
      let key = try #require(last.arguments.first.flatMap { Int32(osc: $0) })
      followers.add(keen, port: 9000, key: key, at: now)
      followers.add(wrong, port: 9000, key: key, at: now)
    }
    #expect(told.count(shy) == 20 && told.count(wrong) == 20)
    #expect((170...184).contains(told.count(keen)))
  }

  @Test(
    "forged addresses, however many, are told eight times a second together, and keep out nobody with a key")
  func flood() throws {
    let handle = try InstrumentBus().add(Probe())
    let told = Told()
    let followers = Followers(handle, base: "/momu/probe") { packet, address in
      told.packets.withLock { $0.append((packet, address)) }
    }
    let friends = try (200..<216).map { try address($0) }
    try tenSeconds(followers, handle) { step in
      let now = HostTime(seconds: 1e6 + Double(step) * 0.05)
      for host in 1...100 { followers.add(try address(host), port: 9000, at: now) }
      if step == 50 {
        for friend in friends { followers.add(friend, port: 9000, key: followers.key(for: friend), at: now) }
      }
    }
    for friend in friends { #expect(told.count(friend) == 150) }
    #expect(told.count - 150 * 16 <= 80)
  }

  @Test("a sender is answered 20 times a second, and sixteen senders at a time")
  func rate() throws {
    let followers = Followers(try InstrumentBus().add(Probe()), base: "/momu/probe")
    let one = try address(1)
    var count = 0
    for millisecond in 0..<1000
    where followers.mayAnswer(one, at: HostTime(seconds: Double(millisecond) / 1000)) {
      count += 1
    }
    #expect(count == 20)
    let many = try (1...40).map { try address($0) }
    #expect(many.filter { followers.mayAnswer($0, at: HostTime(seconds: 5)) }.count == 16)
  }

  @Test("all parameters are one packet, which fits a datagram", arguments: Instruments.all.map(\.sheet.name))
  func bundles(name: String) throws {
    let handle = try Instruments.named(name).add(to: InstrumentBus())
    let followers = Followers(handle, base: "/momu/\(name)")
    guard case .bundle(let bundle) = followers.bundle(Array(handle.parameters.indices)) else {
      Issue.record("no bundle")
      return
    }
    #expect(bundle.elements.count == handle.parameters.count)
    #expect(try OSCPacket.bundle(bundle).encoded().count <= 1400)
  }
}
