import MoCore

/// Other rooms nearby, by the hellos that are not for ours.
struct RoomList: Sendable {
  var rooms: [String: [MemberID: HostTime]] = [:]

  private static let mostRooms = 64
  private static let mostMembers = 256
  /// A room that has said nothing for so long (s) is gone.
  private static let memory = 10.0

  mutating func note(_ room: String, _ member: MemberID, now: HostTime) {
    guard rooms[room] != nil || rooms.count < Self.mostRooms else { return }
    var members = rooms[room] ?? [:]
    guard members[member] != nil || members.count < Self.mostMembers else { return }
    members[member] = now
    rooms[room] = members
  }

  mutating func shift(by nanoseconds: Int64) {
    rooms = rooms.mapValues { $0.mapValues { $0.shifted(by: nanoseconds) } }
  }

  /// Whether a member was heard lately.
  func knows(_ member: MemberID) -> Bool { rooms.values.contains { $0[member] != nil } }

  mutating func forget(at now: HostTime) {
    for (room, members) in rooms {
      let left = members.filter { now.seconds(since: $0.value) < Self.memory }
      rooms[room] = left.isEmpty ? nil : left
    }
  }

  /// Their names, and how many members each has.
  var list: [(name: String, members: Int)] {
    rooms.map { (SessionIdentity.tidy($0.key), $0.value.count) }.sorted { $0.name < $1.name }
  }
}
