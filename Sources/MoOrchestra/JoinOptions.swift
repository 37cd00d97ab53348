import Glibc
import MoCore
import MoMu
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
  /// Whether the program saves its room, and rejoins this room after the program was killed.
  package var isKept: Bool

  package init(
    room: String? = nil, passkey: String? = nil, name: String? = nil, program: String? = nil,
    release: String = "1",
    isHidden: Bool = false,
    peers: [String] = [], isKept: Bool = true
  ) {
    (self.room, self.passkey) = (room, passkey)
    (self.name, self.program, self.release) = (name, program, release)
    (self.isHidden, self.peers, self.isKept) = (isHidden, peers, isKept)
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

extension SessionCore.Settings {
  /// Creates the settings of a join.
  ///
  /// `record` has the values of this start, completed by those of the earlier run if the program was killed.
  /// `run.options` gives the values that `record` does not have.
  init(
    _ joinOptions: JoinOptions, _ record: SavedRoom, program: String, _ memory: PeerCache, _ run: Run
  ) throws(SessionError) {
    let room = record.room
    guard (1...100).contains(room.utf8.count), room != "*",
      // Other users could not type it, and it could not be saved as a line.
      !room.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { throw .badRoom(room) }
    let identity = SessionIdentity(
      member: .random(), installation: memory.installation,
      name: record.name ?? run.options.name ?? DefaultName.host, program: program,
      release: joinOptions.release,
      machine: MachineID.started)
    self.init(room: room, identity: identity)
    isHidden = record.isHidden
    remembered = memory.places(in: room)
    ignored = Set(record.ignored)
    secret = .random(in: .min ... .max)
    calendar = SystemClock().wallClock(of: SystemClock().now) / 1_000_000_000
    only = record.only != .nobody ? record.only : MemberID(run.options.conductorOnly ?? 0)
    for text in joinOptions.peers { _ = try PeerPlace(text) }
    typed = record.peers.compactMap { SessionEndpoint(typed: $0) }
  }
}
