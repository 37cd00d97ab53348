import MoCore
import MoSessionCore
import Testing

@Suite("The roster by itself")
struct RosterTests {
  private static let start = HostTime(seconds: 100)

  private static func admit(
    _ hello: SessionMessage.Hello, at endpoint: SessionEndpoint, to roster: inout Roster, _ out: inout Effects
  ) -> Roster.Admission {
    let admission = roster.admit(hello, nil, from: endpoint, now: start, &out)
    if case .newcomer = admission { roster.join(hello, at: endpoint, now: start, &out) }
    return admission
  }

  @Test("a hello is admitted only after its address has returned its token, which is requested once")
  func proof() {
    var (roster, out) = (Roster(ComponentRoom.settings(Sample.me), now: Self.start), Effects())
    let endpoint = ComponentRoom.endpoint(Sample.other)
    var hello = ComponentRoom.hello(Sample.other)
    #expect(Self.admit(hello, at: endpoint, to: &roster, &out) == .refused)
    let asked = out.datagrams().compactMap { if case .prove(let proof) = $0.message { proof } else { nil } }
    #expect(asked.count == 1)
    #expect(roster.members.isEmpty)
    // The token of another address is no proof.
    var stranger = endpoint
    stranger.port += 1
    hello.echo = asked[0].token
    #expect(Self.admit(hello, at: stranger, to: &roster, &out) == .refused)
    #expect(Self.admit(hello, at: endpoint, to: &roster, &out) == .newcomer)
    #expect(Self.admit(hello, at: endpoint, to: &roster, &out) == .member)
    #expect(roster.members.keys.sorted() == [Sample.other])
  }

  @Test("the roster holds 16 members of one address, and counts the rest as unwanted")
  func crowdAtOneAddress() {
    let (members, unwanted) = Self.crowd(at: ComponentRoom.endpoint(Sample.other))
    #expect(members == 16)
    #expect(unwanted == 24)
  }

  @Test(
    "the roster holds forty programs of this machine",
    arguments: [
      SessionEndpoint(high: 0x7F00_0001 << 32, port: 1),
      SessionEndpoint(high: 0, low: 1, port: 1, isIPv6: true),
    ])
  func crowdHere(loopback: SessionEndpoint) {
    let (members, unwanted) = Self.crowd(at: loopback)
    #expect(members == 40)
    #expect(unwanted == 0)
  }

  /// Returns how many of forty members at one address are admitted, and how many are counted as unwanted.
  private static func crowd(at address: SessionEndpoint) -> (members: Int, unwanted: UInt64) {
    var (roster, out) = (Roster(ComponentRoom.settings(Sample.me), now: start), Effects())
    for number in 1...40 {
      var endpoint = address
      endpoint.port = UInt16(7000 + number)
      var hello = ComponentRoom.hello(MemberID(UInt64(number)))
      hello.echo = roster.path.token(for: endpoint)
      _ = admit(hello, at: endpoint, to: &roster, &out)
    }
    return (roster.members.count, UInt64(out.counts.unwanted))
  }

  @Test(
    "removes a member after four silent seconds, and asks it for an answer before; a clock step changes nothing"
  )
  func silence() {
    for step in [0.0, 1000, -1000] {
      var room = ComponentRoom(2)
      var out = Effects()
      room.pass(0)
      room.rosters[0].step(by: Int64(step * 1e9), to: room.now.advanced(bySeconds: step))
      let start = room.now.advanced(bySeconds: step)
      var (asked, lost): (Double?, Double?) = (nil, nil)
      for tenth in 1...60 where lost == nil {
        let now = start.advanced(bySeconds: Double(tenth) * 0.1)
        room.rosters[0].checkMembers(at: now, &out)
        for effect in out.removeAll() {
          switch effect {
          case .hello: asked = asked ?? Double(tenth) * 0.1
          case .lost(let id):
            #expect(id == room.ids[1])
            lost = Double(tenth) * 0.1
          default: break
          }
        }
      }
      #expect(lost.map { (3.9...4.2).contains($0) } == true, "step \(step): \(String(describing: lost))")
      #expect(asked != nil && asked! < 4)
    }
  }
}
