import MoCore
import MoMu
import MoOrchestra
import MoSessionCore

/// A scripted directory of services: records the requests, and lets time pass.
struct ScriptedDirectory {
  static let me = MemberID(0x11)
  var finder: ServiceFinder
  var now = HostTime.zero
  var steps: [ServiceFinder.Step] = []
  var findings: [ServiceFinder.Finding] = []
  /// The members that are already in the room.
  var present: Set<MemberID> = []

  init(isHidden: Bool = false) {
    finder = ServiceFinder(
      ServiceRecord(member: Self.me, room: "Lab", name: "Ada"), isHidden: isHidden, now: .zero)
    pass(0)
  }

  static func service(_ name: String, interface: Int32 = 2, family: Int32 = 0) -> ServiceName {
    ServiceName(interface: interface, family: family, name: name, domain: "local")
  }

  static func strings(_ id: UInt64, room: String = "Lab") -> [[UInt8]] {
    ServiceRecord(member: MemberID(id), room: room, name: "Bob").strings
  }

  static func hint(_ id: UInt64, _ address: [UInt8] = [10, 0, 0, 2], room: String = "Lab") -> PeerCandidate {
    let bits = address.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return PeerCandidate(
      member: MemberID(id), room: room, endpoint: SessionEndpoint(high: bits << 32, port: 7000))
  }

  /// Returns the requests since the last call.
  mutating func asked() -> [ServiceFinder.Step] {
    defer { steps = [] }
    return steps
  }

  /// Returns the findings since the last call.
  mutating func found() -> [ServiceFinder.Finding] {
    defer { findings = [] }
    return findings
  }

  mutating func send(_ events: ServiceFinder.Event...) {
    for event in events { finder.handle(event, now: now) }
    note()
  }

  mutating func resolve(
    _ service: ServiceName, _ id: UInt64, _ address: [UInt8] = [10, 0, 0, 2], room: String = "Lab"
  ) {
    send(.resolved(service, address: address, port: 7000, strings: Self.strings(id, room: room)))
  }

  /// Lets time pass, calling `tick` at its times.
  mutating func pass(_ seconds: Double) {
    let end = now.advanced(bySeconds: seconds)
    while true {
      now = max(now, min(end, finder.next))
      finder.tick(at: now) { [present] in !present.contains($0.member) }
      note()
      if now >= end, finder.next > end { return }
    }
  }

  private mutating func note() {
    steps += finder.takeSteps()
    findings += finder.takeFindings()
  }
}
