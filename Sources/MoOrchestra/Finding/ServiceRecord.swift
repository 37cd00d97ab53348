import MoSessionCore

/// What a member says of itself to a service directory such as Avahi's: the TXT strings of DNS-SD (RFC 6763, 6).
///
/// `key=value` each, read by the first of a key, in whatever case; keys that are not known here are left unread.
package struct ServiceRecord: Hashable, Sendable {
  /// Under which members are published.
  package static let type = "_momu._udp"

  /// Who it is.
  package var member: MemberID
  /// The room it is in.
  package var room: String
  /// For people.
  package var name: String

  /// Why strings are no record of a member.
  package enum Fault: Error, Hashable, Sendable {
    /// More strings than a record has, or a longer one than a member's.
    case tooLong
    /// Something that is no UTF-8, or that does not belong in a name.
    case notText
    /// A key is not there, or without a value.
    case missing(String)
    /// Another version of the protocol.
    case version
  }

  private static let mostStrings = 16
  /// RFC 6763, 6.1: a length is one byte.
  private static let longestString = 255
  private static let longestRoom = 100

  /// A record from its parts.
  package init(member: MemberID, room: String, name: String) {
    (self.member, self.room, self.name) = (member, room, name)
  }

  /// Reads strings, as a network delivers them.
  package init(strings: [[UInt8]]) throws(Fault) {
    guard strings.count <= Self.mostStrings, strings.allSatisfy({ $0.count <= Self.longestString }) else {
      throw .tooLong
    }
    guard try Self.value("version", in: strings) == String(SessionAddress.version) else { throw .version }
    guard let member = MemberID(try Self.value("id", in: strings)) else { throw .notText }
    let room = try Self.value("room", in: strings)
    guard room.utf8.count <= Self.longestRoom else { throw .tooLong }
    guard !room.unicodeScalars.contains(where: SessionIdentity.isUnfit) else { throw .notText }
    self.init(member: member, room: room, name: SessionIdentity.tidy(try Self.value("name", in: strings)))
  }

  /// The strings to publish.
  package var strings: [[UInt8]] {
    [
      "version=\(SessionAddress.version)", "id=\(member)", "room=\(room)", "name=\(name)",
    ].map { Array($0.utf8) }
  }

  /// What it is published as: of no two members the same, and for people to read; 63 bytes at most (RFC 6763, 4.1.1).
  ///
  /// - Parameter attempt: from 1; somebody may have the name nonetheless.
  package func instance(attempt: Int) -> String {
    let tail = attempt > 1 ? " \(member) #\(attempt)" : " \(member)"
    var head = String.UnicodeScalarView()
    var bytes = tail.utf8.count
    for character in name.unicodeScalars {
      bytes += UTF8.width(character)
      guard bytes <= 63 else { break }
      head.append(character)
    }
    return String(head) + tail
  }

  private static func value(_ key: String, in strings: [[UInt8]]) throws(Fault) -> String {
    let wanted = Array(key.utf8)
    for string in strings {
      guard let sign = string.firstIndex(of: UInt8(ascii: "=")), sign == wanted.count else { continue }
      // Keys are plain letters here, whose cases differ by one bit.
      guard zip(string, wanted).allSatisfy({ $0 | 0x20 == $1 }) else { continue }
      guard let text = String(validating: string[(sign + 1)...], as: UTF8.self) else { throw .notText }
      guard !text.isEmpty else { break }
      return text
    }
    throw .missing(key)
  }
}
