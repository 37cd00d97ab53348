import MoCore
import MoOSC
import MoSessionCore
import MoSessionSimulation
import Testing

@Suite("The health of members' machines")
struct HealthTests {
  @Test("a member that has not answered is asked until five seconds have passed")
  func silent() {
    var orchestra = VirtualOrchestra.room(2)
    orchestra.pass(5)
    _ = orchestra.act(0) { core, now in core.beginCheck(now: now) }
    // Questions and hellos get through, answers do not.
    orchestra.cut.insert(1 * 2 + 0)
    orchestra.pass(2)
    #expect(!orchestra.core(0).hasChecked(at: orchestra.host(0)))
    orchestra.pass(8)
    #expect(orchestra.core(0).hasChecked(at: orchestra.host(0)))
    #expect(orchestra.core(0).health(of: orchestra.id(1)) == nil)
  }

  @Test("a member with another version of the protocol is listed in its room, and forgotten when it is gone")
  func otherVersion() throws {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    func hello(_ room: String, _ name: String) throws -> [UInt8] {
      let values: [OSCArgument] = [
        .int32(1), .string(room), .int64(5), .int64(6), .string(name), .string("momu session"),
      ]
      return try OSCMessage(SessionAddress.hello.rawValue, values).encoded()
    }
    let there = SessionEndpoint(high: 0xC0A8_0105 << 32, port: 7000)
    for _ in 0..<100 {
      core.receive(try hello("Lab", "Ben\u{1B}[2J"), from: there, at: .zero, now: .zero)
      core.receive(try hello("Stage", "Eve"), from: there, at: .zero, now: .zero)
    }
    let ben = ForeignMember(version: 1, name: "Ben[2J", endpoint: there)
    #expect(core.foreigners(at: HostTime(seconds: 9)) == [ben])
    #expect(core.foreigners(at: HostTime(seconds: 11)) == [])
    core.receive(try hello("Lab", "Cyd"), from: there, at: HostTime(seconds: 20), now: HostTime(seconds: 20))
    #expect(core.foreigners(at: HostTime(seconds: 20)).map(\.name) == ["Cyd"])
    for index in 0..<100 as Range<UInt64> {
      core.receive(
        try hello("Lab", "n\(index)"), from: SessionEndpoint(high: index << 32, port: 1),
        at: HostTime(seconds: 20),
        now: HostTime(seconds: 20))
    }
    #expect(core.foreigners(at: HostTime(seconds: 20)).count == 16)
  }

  @Test("a stranger that asks for health gets no answer, and a member at most two a second")
  func bounded() {
    var core = SessionCore(
      SessionCore.Settings(room: "Lab", identity: Sample.identity(Sample.me)), now: .zero)
    let question = SessionMessage.askHealth(from: Sample.other, to: Sample.me).encoded()
    func answers() -> Int {
      core.drainOutgoing().count { String(decoding: $0.datagram.prefix(12), as: UTF8.self) == "/momu/health" }
    }
    for _ in 0..<50 { core.receive(question, from: FuzzTests.endpoint(1), at: .zero, now: .zero) }
    #expect(answers() == 0)
    core.handshake(Sample.hello(), at: FuzzTests.endpoint(1), now: .zero)
    for _ in 0..<50 { core.receive(question, from: FuzzTests.endpoint(1), at: .zero, now: .zero) }
    #expect(answers() == 2)
  }
}
