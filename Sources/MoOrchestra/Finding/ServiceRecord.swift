import MoSessionCore

/// A member's record in a service directory such as Avahi's: the TXT strings of DNS-SD (RFC 6763, 6).
///
/// Each string has the form `key=value`. The case of the letters in a key does not matter. If a key occurs several
/// times, only the first of these strings is read. Unknown keys are ignored.
package struct ServiceRecord: Hashable, Sendable {
  /// The service type under which members are published.
  package static let type = "_momu._udp"

  /// The member's ID.
  package var member: MemberID
  /// The room that the member is in.
  package var room: String
  /// The display name.
  package var name: String

  /// The reason why the TXT strings of a service are not a valid record of a member.
  package enum Problem: Error, Hashable, Sendable {
    /// There are more than 16 strings, a string has more than 255 bytes, or the room's name has more than 100 bytes.
    case tooLong
    /// A value is not UTF-8, is not a valid ID, or has characters that names must not have.
    case notText
    /// A key is missing, or has no value.
    case missing(String)
    /// The record has another version of the protocol.
    case version
  }

  private static let mostStrings = 16
  /// The longest string of a TXT record, in bytes: a single byte stores the length (RFC 6763, 6.1).
  private static let longestString = 255
  private static let longestRoom = 100

  /// Creates a record from its parts.
  package init(member: MemberID, room: String, name: String) {
    (self.member, self.room, self.name) = (member, room, name)
  }

  /// Parses the TXT strings of a service that was found in the network.
  package init(strings: [[UInt8]]) throws(Problem) {
    guard strings.count <= Self.mostStrings, strings.allSatisfy({ $0.count <= Self.longestString }) else {
      throw .tooLong
    }
    guard try Self.value("version", in: strings) == String(SessionAddress.version) else { throw .version }
    guard let member = MemberID(try Self.value("id", in: strings)) else { throw .notText }
    let room = try Self.value("room", in: strings)
    guard room.utf8.count <= Self.longestRoom else { throw .tooLong }
    guard !room.unicodeScalars.contains(where: SessionIdentity.isUnsafe) else { throw .notText }
    self.init(
      member: member, room: room, name: SessionIdentity.sanitized(try Self.value("name", in: strings)))
  }

  /// The TXT strings to publish, such as `room=Lab`.
  package var strings: [[UInt8]] {
    [
      "version=\(SessionAddress.version)", "id=\(member)", "room=\(room)", "name=\(name)",
    ].map { Array($0.utf8) }
  }

  /// Returns the instance name: unique to the member, readable, 63 bytes at most (RFC 6763, 4.1.1).
  ///
  /// - Parameter attempt: 1 at first; a higher number gives another name, for use if another service has the name.
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

  private static func value(_ key: String, in strings: [[UInt8]]) throws(Problem) -> String {
    let wanted = Array(key.utf8)
    for string in strings {
      guard let sign = string.firstIndex(of: UInt8(ascii: "=")), sign == wanted.count else { continue }
      // Keys are plain letters here; one bit distinguishes their cases.
      guard zip(string, wanted).allSatisfy({ $0 | 0x20 == $1 }) else { continue }
      guard let text = String(validating: string[(sign + 1)...], as: UTF8.self) else { throw .notText }
      guard !text.isEmpty else { break }
      return text
    }
    throw .missing(key)
  }
}
