import MoCore
import MoInstruments
import MoMu
import MoOSC
import Testing

@Suite("Followers of an instrument's parameters")
struct ParameterFollowersTests {
  private func address(_ host: Int) throws -> NetAddress {
    try #require(NetAddress(ip: "192.0.2.\(host)", port: 9000))
  }

  @Test("wake no thread until a program follows")
  func sleeps() throws {
    let followers = ParameterFollowers(try InstrumentBus().add(Probe()), base: "/momu/probe")
    #expect(followers.nextTime == nil)
    followers.add(try address(1), port: 0)
    #expect(followers.nextTime == nil)
    let address = try address(1)
    followers.add(address, port: 9000, key: followers.key(for: address))
    #expect(followers.nextTime != nil)
  }

  /// Followers, and the packets sent to each.
  private final class Recorder: Sendable {
    let packets = Locked<[(packet: OSCPacket, address: NetAddress)]>([])
    func count(_ address: NetAddress) -> Int {
      packets.withLock { $0.filter { $0.address == address }.count }
    }
    var count: Int { packets.withLock { $0.count } }
  }

  /// Ten seconds in which a parameter changes all the time.
  private func tenSeconds(
    _ followers: ParameterFollowers, _ handle: InstrumentHandle, each: (Int) throws -> Void
  )
    throws
  {
    for step in 0..<200 {
      try each(step)
      try handle.set("level", to: Float(step % 10) / 10)
      followers.service(until: HostTime(seconds: 1e6 + Double(step) * 0.05))
    }
  }

  /// The key in a packet; nil if it contains anything else.
  private func key(_ packet: OSCPacket) -> Int32? {
    guard case .message(let message) = packet, message.address == "/momu/probe/follow",
      message.arguments.count == 1
    else { return nil }
    return Int32(osc: message.arguments[0])
  }

  @Test("an address receives only its key until it returns the key, then 20 updates per second")
  func key() throws {
    let handle = try InstrumentBus().add(Probe())
    let recorder = Recorder()
    let followers = ParameterFollowers(handle, base: "/momu/probe") { packet, address in
      recorder.packets.withLock { $0.append((packet, address)) }
    }
    let (shy, keen, wrong) = (try address(1), try address(2), try address(3))
    try tenSeconds(followers, handle) { step in
      let now = HostTime(seconds: 1e6 + Double(step) * 0.05)
      if step == 0 { for one in [shy, keen, wrong] { followers.add(one, port: 9000, at: now) } }
      guard step == 20 else { return }
      let first = try #require(recorder.packets.withLock { $0.first { $0.address == keen } })
      let key = try #require(self.key(first.packet))
      followers.add(keen, port: 9000, key: key, at: now)
      followers.add(wrong, port: 9000, key: key, at: now)
    }
    let keys = recorder.packets.withLock { $0.filter { key($0.packet) != nil }.map(\.address) }
    #expect(keys.filter { $0 == shy }.count == 1 && recorder.count(shy) == 1)
    #expect(keys.filter { $0 == wrong }.count == 2 && recorder.count(wrong) == 2)
    #expect((170...184).contains(recorder.count(keen)))
  }

  @Test("a program on the same machine needs no key")
  func local() throws {
    let handle = try InstrumentBus().add(Probe())
    let recorder = Recorder()
    let followers = ParameterFollowers(handle, base: "/momu/probe") { packet, address in
      recorder.packets.withLock { $0.append((packet, address)) }
    }
    let local = try #require(NetAddress(ip: "127.0.0.1", port: 9000))
    try tenSeconds(followers, handle) { step in
      if step == 0 { followers.add(local, port: 9000, at: HostTime(seconds: 1e6)) }
    }
    #expect(recorder.count(local) >= 190)
  }

  @Test("many forged addresses receive keys at a bounded rate, and followers with a key still get updates")
  func flood() throws {
    let handle = try InstrumentBus().add(Probe())
    let recorder = Recorder()
    let followers = ParameterFollowers(handle, base: "/momu/probe") { packet, address in
      recorder.packets.withLock { $0.append((packet, address)) }
    }
    let friends = try (200..<216).map { try address($0) }
    try tenSeconds(followers, handle) { step in
      let now = HostTime(seconds: 1e6 + Double(step) * 0.05)
      for host in 1...100 { followers.add(try address(host), port: 9000, at: now) }
      if step == 50 {
        for friend in friends { followers.add(friend, port: 9000, key: followers.key(for: friend), at: now) }
      }
    }
    for friend in friends { #expect(recorder.count(friend) == 150) }
    // Sixteen answers per period of 50 ms.
    #expect(recorder.count - 150 * 16 <= 200 * 16)
    let longest = recorder.packets.withLock { packets in
      packets.filter { !friends.contains($0.address) }.map { (try? $0.packet.encoded().count) ?? 0 }.max()
    }
    #expect(longest == 28)
  }

  @Test("answers a sender 20 times per second, and sixteen senders at a time")
  func rate() throws {
    let followers = ParameterFollowers(try InstrumentBus().add(Probe()), base: "/momu/probe")
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

  @Test("all parameters form one packet that fits a datagram", arguments: Instruments.all.map(\.sheet.name))
  func bundles(name: String) throws {
    let handle = try Instruments.named(name).add(to: InstrumentBus())
    let followers = ParameterFollowers(handle, base: "/momu/\(name)")
    guard case .bundle(let bundle) = followers.bundle(Array(handle.parameters.indices)) else {
      Issue.record("no bundle")
      return
    }
    #expect(bundle.elements.count == handle.parameters.count)
    #expect(try OSCPacket.bundle(bundle).encoded().count <= 1400)
  }
}
