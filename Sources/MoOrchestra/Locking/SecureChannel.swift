import MoCore
import MoSessionCore

/// What stands between the sockets and the protocol: in a locked room everything is sealed, in an open one nothing is;
/// and it notices where the two stand side by side under one name, which would else be mere silence.
///
/// - Thread: one at a time.
struct SecureChannel {
  /// What became of a datagram.
  struct Opened {
    /// What the protocol is to hear.
    var datagram: [UInt8]?
    /// What is to be sent back at once.
    var replies: [Outgoing] = []
    /// What is to be told to people.
    var complaint: Complaint?
    /// Whether a locked room was heard for the first time, so that the number of this one's name is wanted.
    var wantsNumber = false
  }

  /// Why two who named the same room do not hear each other; told once.
  enum Complaint: Hashable, CustomStringConvertible {
    /// The room of this name here is locked.
    case locked(room: String)
    /// Somebody has locked it with another passkey.
    case otherKey(room: String)

    var description: String {
      switch self {
      case .locked(let room): "room \(room) is locked here: join it with --passkey KEY"
      case .otherKey(let room):
        "somebody here has another passkey for room \(room), so that you do not hear each other: compare them"
      }
    }
  }

  /// The most locked rooms that are told apart.
  private static let mostRooms = 64

  private let name: String
  private var sealed: RoomCipher?
  /// The number that this room's name has where it is locked; nil until it is known.
  private var number: UInt64?
  private var heard: Set<UInt64> = []
  private var told: Set<Complaint> = []

  /// A room's door.
  ///
  /// - Parameter key: what it is locked with; nil for an open room.
  init(room: String, key: RoomKey?) throws(SealingError) {
    name = room
    guard let key else { return }
    (sealed, number) = (try RoomCipher(key), key.room)
  }

  /// Whether the room is locked.
  var isLocked: Bool { sealed != nil }

  /// What came in and was not taken; nil in an open room.
  var counts: SealedCounts? { sealed?.counts }

  /// How many other rooms were heard of which nothing is known but that they are locked.
  var lockedRooms: Int { heard.count { $0 != number } }

  /// The room as a directory on the network may name it.
  func record(_ record: ServiceRecord) -> ServiceRecord {
    guard let sealed else { return record }
    return ServiceRecord(
      member: record.member, room: "locked " + String(sealed.room, radix: 16), name: "locked")
  }

  /// Makes datagrams fit to leave.
  mutating func out(_ list: [Outgoing]) -> [Outgoing] {
    guard sealed != nil else { return list }
    return list.map { outgoing in
      var outgoing = outgoing
      // What is said again to a newcomer is who is here, not what was played last.
      let isCall =
        switch outgoing.destination {
        case .one, .members: false
        case .multicast, .multicastIPv6, .broadcast: true
        }
      outgoing.datagram = sealed?.seal(outgoing.datagram, isCall: isCall) ?? []
      return outgoing
    }
  }

  /// Looks at what came in.
  mutating func take(_ datagram: [UInt8], from endpoint: SessionEndpoint, at now: HostTime) -> Opened {
    guard sealed != nil else { return pass(datagram) }
    if let room = RoomCipher.room(of: datagram) { note(room) }
    guard let opened = sealed?.open(datagram, at: now) else { return Opened() }
    return Opened(
      datagram: opened.text,
      replies: opened.replies.map { Outgoing(destination: .one(endpoint), datagram: $0) },
      complaint: opened.hasOtherKey ? say(.otherKey(room: name)) : nil)
  }

  /// The number of this room's name has been worked out.
  mutating func know(_ number: UInt64) -> Complaint? {
    self.number = number
    return heard.contains(number) ? say(.locked(room: name)) : nil
  }

  private mutating func pass(_ datagram: [UInt8]) -> Opened {
    guard RoomCipher.isSealed(datagram) else { return Opened(datagram: datagram) }
    guard let room = RoomCipher.room(of: datagram) else { return Opened() }
    let isFirst = heard.isEmpty
    note(room)
    return Opened(complaint: room == number ? say(.locked(room: name)) : nil, wantsNumber: isFirst)
  }

  private mutating func note(_ room: UInt64) {
    if heard.count < Self.mostRooms { heard.insert(room) }
  }

  private mutating func say(_ complaint: Complaint) -> Complaint? {
    told.insert(complaint).inserted ? complaint : nil
  }
}
