import MoCore
import MoOSC

/// Members out of reach: other members report them, but this member does not hear them.
struct UnreachableMembers: Sendable {
  private var reports: [MemberID: (first: HostTime, last: HostTime)] = [:]
  /// The number of members out of reach at the last check.
  private(set) var count = 0

  private static let most = 256
  /// Seconds for which others report a member before the member counts as out of reach; meanwhile it is probed.
  private static let timeout = 10.0
  /// Seconds after which a report expires; other members repeat the report while they hear the reported member.
  private static let memory = 20.0

  /// Adds the member `id`, which another member has reported and which is not heard here.
  mutating func receive(_ id: MemberID, at now: HostTime) {
    guard reports[id] != nil || reports.count < Self.most else { return }
    reports[id] = (reports[id]?.first ?? now, now)
  }

  /// Recounts the members that are out of reach; returns whether there are more than at the last count.
  mutating func check(at now: HostTime, isMissing: (MemberID) -> Bool) -> Bool {
    guard !reports.isEmpty || count > 0 else { return false }
    reports = reports.filter { isMissing($0.key) && now.seconds(since: $0.value.last) < Self.memory }
    let before = count
    count = reports.values.count { $0.last.seconds(since: $0.first) > Self.timeout }
    return count > before
  }

  mutating func shift(by nanoseconds: Int64) {
    reports = reports.mapValues { ($0.first.shifted(by: nanoseconds), $0.last.shifted(by: nanoseconds)) }
  }
}

/// Other rooms nearby, known by their hellos.
package struct RoomList: Sendable {
  package var rooms: [String: [MemberID: HostTime]] = [:]

  private static let mostRooms = 64
  private static let mostMembers = 256
  /// Seconds of silence after which a room counts as gone.
  private static let memory = 10.0

  mutating func add(_ room: String, _ member: MemberID, now: HostTime) {
    guard rooms[room] != nil || rooms.count < Self.mostRooms else { return }
    var members = rooms[room] ?? [:]
    guard members[member] != nil || members.count < Self.mostMembers else { return }
    members[member] = now
    rooms[room] = members
  }

  mutating func shift(by nanoseconds: Int64) {
    rooms = rooms.mapValues { $0.mapValues { $0.shifted(by: nanoseconds) } }
  }

  /// Returns whether the given member was heard in another room in about the last ten seconds.
  func knows(_ member: MemberID) -> Bool { rooms.values.contains { $0[member] != nil } }

  mutating func forget(at now: HostTime) {
    for (room, members) in rooms {
      let remaining = members.filter { now.seconds(since: $0.value) < Self.memory }
      rooms[room] = remaining.isEmpty ? nil : remaining
    }
  }

  /// The rooms' names, and the number of members of each.
  var list: [(name: String, members: Int)] {
    rooms.map { (SessionIdentity.sanitized($0.key), $0.value.count) }.sorted { $0.name < $1.name }
  }
}

/// A member that uses a version of the protocol unknown here.
package struct ForeignMember: Hashable, Sendable {
  /// The member's version of the protocol.
  package var version: Int32
  /// The member's name; nil if it is not readable.
  package var name: String?
  /// The member's network address.
  package var endpoint: SessionEndpoint

  package init(version: Int32, name: String? = nil, endpoint: SessionEndpoint) {
    (self.version, self.name, self.endpoint) = (version, name, endpoint)
  }
}

/// The senders of hellos that have another version of the protocol.
struct ForeignMembers: Sendable {
  private var members: [(member: ForeignMember, last: HostTime)] = []

  private static let most = 16
  /// Seconds without a hello after which a member is no longer listed.
  private static let memory = 10.0

  /// Returns the members that were heard in the last ten seconds.
  func members(at now: HostTime) -> [ForeignMember] {
    members.filter { now.seconds(since: $0.last) <= Self.memory }.map(\.member)
  }

  /// Adds the sender of a hello that has another version of the protocol.
  ///
  /// - Parameter room: the name of this member's room; members of other rooms are dropped.
  mutating func add(
    _ datagram: [UInt8], _ version: Int32, from endpoint: SessionEndpoint, room: String, now: HostTime
  ) {
    members.removeAll { now.seconds(since: $0.last) > Self.memory }
    guard let packet = try? OSCPacket(bytes: datagram), case .message(let message) = packet,
      message.address == SessionAddress.hello.rawValue
    else { return }
    // Every version so far starts with these: version, room, member, installation, name.
    var reader = ArgumentReader(message.arguments)
    _ = try? reader.int()
    let named = try? (
      room: reader.text(), member: reader.id(), installation: reader.id(), name: reader.text()
    )
    if let named, named.room != room { return }
    let name = named.map { SessionIdentity.sanitized($0.name) }
    let member = ForeignMember(version: version, name: name, endpoint: endpoint)
    members.removeAll { $0.member.endpoint.isSameHost(as: endpoint) && $0.member.name == name }
    if members.count < Self.most { members.append((member, now)) }
  }

  mutating func shift(by nanoseconds: Int64) {
    members = members.map { ($0.member, $0.last.shifted(by: nanoseconds)) }
  }
}
