import MoCore
import MoSessionCore

/// The layer between the sockets and the protocol: it encrypts all datagrams of a locked room, and none of an open
/// room.
///
/// In an open room, the layer also reports a locked room of the same name nearby. In a locked room, the layer also
/// reports a member with a different passkey. Without these reports, users would not learn why their members do not
/// find each other.
///
/// - Thread: any, but one at a time.
package struct SecureChannel {
  /// The result for a received datagram.
  package struct Opened {
    /// The decrypted datagram for the protocol; nil if the received datagram was rejected.
    package var datagram: [UInt8]?
    /// The datagrams to send back immediately.
    package var replies: [Outgoing] = []
    /// The problem to report to users; nil for none.
    package var problem: Problem?
    /// Whether the caller must compute the number that a locked room with this room's name has, and call `know(_:)`.
    ///
    /// The value is true for the first datagram of a locked room that an open room receives. By the number, `know(_:)`
    /// finds out whether the locked room has the same name.
    package var wantsNumber = false
  }

  /// The reason why members of rooms with the same name do not receive each other's messages.
  ///
  /// Each reason is reported only once.
  package enum Problem: Hashable, CustomStringConvertible {
    /// A nearby room of this name is locked, but this member joined an open room.
    case locked(room: String)
    /// Another member uses a different passkey for the room of this name.
    case otherKey(room: String)

    package var description: String {
      switch self {
      case .locked(let room): "room \(room) is locked here: join it with --passkey KEY"
      case .otherKey(let room):
        "another member has a different passkey for room \(room), so you do not hear each other: compare the passkeys"
      }
    }
  }

  /// The largest number of other locked rooms on this network that are counted.
  private static let mostRooms = 64

  private let name: String
  private var sealed: RoomCipher?
  /// The number that identifies a locked room with this room's name in datagrams; nil until the number has been
  /// computed from the name.
  private var number: UInt64?
  private var heard: Set<UInt64> = []
  private var reported: Set<Problem> = []

  /// Creates the channel of a room.
  ///
  /// - Parameter key: the room's key; nil for an open room.
  package init(room: String, key: RoomKey?) throws(SealingError) {
    name = room
    guard let key else { return }
    (sealed, number) = (try RoomCipher(key), key.room)
  }

  /// Whether the room is locked.
  var isLocked: Bool { sealed != nil }

  /// The counts of rejected datagrams; nil in an open room.
  var counts: SealedCounts? { sealed?.counts }

  /// The number of other locked rooms nearby, whose names are unknown.
  package var lockedRooms: Int { heard.count { $0 != number } }

  /// Returns the record to publish in a directory of services; for a locked room, without the names of room and member.
  package func record(_ record: ServiceRecord) -> ServiceRecord {
    guard let sealed else { return record }
    return ServiceRecord(
      member: record.member, room: "locked " + String(sealed.room, radix: 16), name: "locked")
  }

  /// Encrypts outgoing datagrams if the room is locked.
  package mutating func out(_ list: [Outgoing]) -> [Outgoing] {
    guard sealed != nil else { return list }
    return list.map { outgoing in
      var outgoing = outgoing
      // Only calls that list members are repeated for a newcomer, not the events that were played last.
      let isBroadcast =
        switch outgoing.destination {
        case .one, .members: false
        case .multicast, .multicastIPv6, .broadcast: true
        }
      outgoing.datagram = sealed?.seal(outgoing.datagram, isBroadcast: isBroadcast) ?? []
      return outgoing
    }
  }

  /// Decrypts or rejects a received datagram.
  ///
  /// In an open room, a datagram that is not encrypted is passed on unchanged.
  package mutating func open(_ datagram: [UInt8], from endpoint: SessionEndpoint, at now: HostTime) -> Opened
  {
    guard isLocked || RoomCipher.isSealed(datagram) else { return Opened(datagram: datagram) }
    let isFirst = heard.isEmpty
    let room = RoomCipher.room(of: datagram)
    if let room, heard.count < Self.mostRooms { heard.insert(room) }
    guard let opened = sealed?.open(datagram, at: now) else {
      // This room is open; the datagram is from a locked room.
      guard let room else { return Opened() }
      return Opened(problem: room == number ? ifNew(.locked(room: name)) : nil, wantsNumber: isFirst)
    }
    return Opened(
      datagram: opened.text,
      replies: opened.replies.map { Outgoing(destination: .one(endpoint), datagram: $0) },
      problem: opened.hasOtherKey ? ifNew(.otherKey(room: name)) : nil)
  }

  /// Stores the computed number of this room's name; returns a problem if a locked room nearby has the same number.
  package mutating func know(_ number: UInt64) -> Problem? {
    self.number = number
    return heard.contains(number) ? ifNew(.locked(room: name)) : nil
  }

  private mutating func ifNew(_ problem: Problem) -> Problem? {
    reported.insert(problem).inserted ? problem : nil
  }
}
