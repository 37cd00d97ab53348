import Glibc
import MoSessionCore

/// The options for joining a room.
package struct JoinOptions: Sendable {
  package var room: String?
  /// The passkey that locks the room; nil for the passkey of the option `--passkey`, if this option is given.
  package var passkey: String?
  package var name: String?
  package var program: String?
  package var release: String
  package var isHidden: Bool
  package var peers: [String]
  package var only: MemberID?
  /// Whether the program saves its room, and rejoins this room after the program was killed.
  package var isKept: Bool

  package init(
    room: String? = nil, passkey: String? = nil, name: String? = nil, program: String? = nil,
    release: String = "1",
    isHidden: Bool = false,
    peers: [String] = [], only: MemberID? = nil, isKept: Bool = true
  ) {
    (self.room, self.passkey) = (room, passkey)
    (self.name, self.program, self.release) = (name, program, release)
    (self.isHidden, self.peers, self.only) = (isHidden, peers, only)
    self.isKept = isKept
  }
}

/// The names that a member has by default: the name of the machine, and the name of the program.
enum DefaultName {
  /// The host name of the machine; "member" if the system does not report a name.
  static var host: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "member" }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The last component of the program's path, such as `Harp`; "program" if the system does not report a path.
  static var program: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
  }
}
