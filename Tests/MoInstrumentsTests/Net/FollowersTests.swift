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
