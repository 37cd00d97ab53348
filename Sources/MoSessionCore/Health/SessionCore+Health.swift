import MoOSC
import MoTime

/// A check before a concert: who has been asked how its machine is, and who has answered.
struct Checkup: Sendable {
  var answers: [MemberID: MemberHealth] = [:]
  private var asked: [MemberID: (times: Int, last: HostTime)] = [:]
  private(set) var end: HostTime
  private(set) var next: HostTime

  /// Seconds between two questions, which makes the 25 packets a second that a member may send.
  static let spacing = 0.04
  /// Seconds after which a member is asked again, and how often it is asked in all.
  private static let pause = 0.8
  private static let mostTimes = 4
  /// Seconds after which who has not answered is held not to answer: 256 members are asked in ten.
  private static let patience = 5.0

  /// When it was begun.
  private(set) var begun: HostTime

  init(among others: Int, now: HostTime) {
    (begun, next) = (now, now)
    end = now.advanced(bySeconds: Self.patience + Double(others) * Self.spacing)
  }

  /// Who is to be asked now; nil for nobody.
  mutating func takeDue(_ members: some Sequence<MemberID>, at now: HostTime) -> MemberID? {
    next = now.advanced(bySeconds: Self.spacing)
    let due = members.filter { id in
      guard answers[id] == nil else { return false }
      guard let asked = asked[id] else { return true }
      return asked.times < Self.mostTimes && now.seconds(since: asked.last) >= Self.pause
    }
    let first = due.min { (asked[$0]?.times ?? 0, $0) < (asked[$1]?.times ?? 0, $1) }
    if let first { asked[first] = ((asked[first]?.times ?? 0) + 1, now) }
    return first
  }

  mutating func shift(by nanoseconds: Int64) {
    asked = asked.mapValues { ($0.times, $0.last.advanced(byNanoseconds: nanoseconds)) }
    begun = begun.advanced(byNanoseconds: nanoseconds)
    end = end.advanced(byNanoseconds: nanoseconds)
    next = next.advanced(byNanoseconds: nanoseconds)
  }
}

extension SessionCore {
  /// Asks all members how their machines are; `checks` says what they answered.
  public mutating func beginCheck(now: HostTime) {
    checkup = Checkup(among: members.count, now: now)
    checkupNext = now
  }

  /// Whether a check has been begun.
  public var isChecking: Bool { checkup != nil }

  /// Seconds since the last check was begun; nil before one was.
  public func sinceCheck(at now: HostTime) -> Double? { checkup.map { now.seconds(since: $0.begun) } }

  /// Whether everybody has answered the last check, or has been waited for long enough.
  public func hasChecked(at now: HostTime) -> Bool {
    guard let checkup else { return false }
    return now >= checkup.end || members.keys.allSatisfy { checkup.answers[$0] != nil }
  }

  /// What this member says of its machine when it is asked.
  public mutating func setHealth(_ health: MemberHealth) { settings.health = health }

  mutating func askHealth(at now: HostTime) {
    guard now >= checkupNext else { return }
    if hasChecked(at: now) {
      checkupNext = .distantFuture
      return
    }
    if let id = checkup?.takeDue(members.keys, at: now), let endpoint = members[id]?.endpoint {
      send(.askHealth(from: me, to: id), to: endpoint)
    }
    checkupNext = checkup?.next ?? .distantFuture
  }

  mutating func answerHealth(_ id: MemberID, at endpoint: SessionEndpoint, now: HostTime) {
    // One who checks asks once; anybody can ask in its name.
    guard members[id]?.checks.allows(at: now, most: 2) == true else { return }
    send(.health(from: me, to: id, settings.health), to: endpoint)
  }

  /// Members of the last ten seconds whose version of the protocol is not understood here, by address.
  public var foreigners: [ForeignMember] { strangersOfOtherVersions.members.map(\.member) }
}

/// Who was heard and not understood.
struct ForeignMembers: Sendable {
  private(set) var members: [(member: ForeignMember, last: HostTime)] = []

  private static let most = 16
  private static let memory = 10.0

  /// Notes a datagram of another version.
  ///
  /// - Parameter room: the room here; others' members are of no account.
  mutating func note(
    _ datagram: [UInt8], _ version: Int32, from endpoint: SessionEndpoint, room: String, now: HostTime
  ) {
    members.removeAll { now.seconds(since: $0.last) > Self.memory }
    guard let packet = try? OSCPacket(bytes: datagram), case .message(let message) = packet,
      message.address == SessionAddress.hello.rawValue
    else { return }
    // Every version so far begins with these: version, room, member, installation, name.
    var reader = ArgumentReader(message.arguments)
    _ = try? reader.int()
    let named = try? (
      room: reader.text(), member: reader.id(), installation: reader.id(), name: reader.text()
    )
    if let named, named.room != room { return }
    let name = named.map { SessionIdentity.tidy($0.name) }
    let member = ForeignMember(version: version, name: name, endpoint: endpoint)
    members.removeAll { $0.member.endpoint.isSameHost(as: endpoint) && $0.member.name == name }
    if members.count < Self.most { members.append((member, now)) }
  }

  mutating func shift(by nanoseconds: Int64) {
    members = members.map { ($0.member, $0.last.advanced(byNanoseconds: nanoseconds)) }
  }
}
