import Glibc
import MoSessionCore

/// How one wants to take part.
package struct JoinOptions: Sendable {
  package var room: String?
  /// What the room is locked with; nil for what the options say.
  package var passkey: String?
  package var name: String?
  package var program: String?
  package var release: String
  package var isHidden: Bool
  package var peers: [String]
  package var only: MemberID?
  /// Whether it is found again after the program was killed.
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

/// What one is called where nobody says.
enum DefaultName {
  /// The machine's name.
  static var host: String {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return "somebody" }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The program's own name.
  static var program: String {
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "program"
  }
}
