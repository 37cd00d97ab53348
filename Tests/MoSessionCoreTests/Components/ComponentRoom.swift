import MoCore

@testable import MoSessionCore

/// Members that know each other and share a clock, for tests of one component without the others.
struct ComponentRoom {
  let ids: [MemberID]
  var now: HostTime
  var rosters: [Roster] = []
  var clocks: [ClockSync] = []

  init(_ count: Int, at now: HostTime = HostTime(seconds: 100)) {
    self.now = now
    ids = (1...count).map { MemberID(UInt64($0) << 16 | UInt64($0)) }
    let base = TimeBase(lineage: ids[0], founded: 1_800_000_000, term: 0, keeper: ids[0])
    var ignored = Effects()
    for id in ids {
      var roster = Roster(Self.settings(id), now: now)
      for other in ids where other != id {
        roster.join(Self.hello(other, base), at: Self.endpoint(other), now: now, &ignored)
      }
      rosters.append(roster)
      var clock = ClockSync(id)
      clock.base = base
      clock.sync.becomeKeeper()
      clocks.append(clock)
    }
  }

  /// Returns the view of a member's components.
  func view(_ index: Int) -> RoomView { RoomView(roster: rosters[index], clock: clocks[index], now: now) }

  /// Advances time while all members hear each other.
  mutating func pass(_ seconds: Double) {
    now = now.advanced(bySeconds: seconds)
    var ignored = Effects()
    for index in rosters.indices {
      for id in ids where id != ids[index] {
        _ = rosters[index].receive(from: id, at: Self.endpoint(id), now: now, &ignored)
      }
    }
  }

  static func settings(_ id: MemberID) -> SessionCore.Settings {
    var identity = Sample.identity(id, "p\(id.bits & 0xFFFF)")
    identity.installation = id
    var settings = SessionCore.Settings(room: "Lab", identity: identity)
    settings.secret = id.bits
    return settings
  }

  static func endpoint(_ id: MemberID) -> SessionEndpoint {
    SessionEndpoint(high: (0x0A00_0000 + id.bits & 0xFFFF) << 32, port: 6450)
  }

  static func hello(_ id: MemberID, _ base: TimeBase? = nil) -> SessionMessage.Hello {
    var identity = settings(id).identity
    identity.installation = id
    return SessionMessage.Hello(
      room: "Lab", identity: identity, method: .multicast, wantsAnswer: true, isHidden: false,
      sent: HostTime(seconds: 5), summary: StateSummary(version: .none, base: base), report: Report())
  }
}

extension Effects {
  /// Removes and returns the datagrams to send, with their receivers.
  mutating func datagrams() -> [(to: Outgoing.Destination, message: SessionMessage)] {
    removeAll().flatMap { effect -> [(Outgoing.Destination, SessionMessage)] in
      guard case .send(let outgoing) = effect else { return [] }
      return ((try? SessionMessage.list(outgoing.datagram)) ?? []).map { (outgoing.destination, $0) }
    }
  }
}
