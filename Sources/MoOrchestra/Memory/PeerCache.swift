import MoMu
import MoSessionCore

/// What a session remembers from one start of the program to the next: who this installation is, and where members
/// were.
///
/// A text file of a line each: `installation ID`, `machine NUMBER`, and `member ADDRESS ROOM` up to 64 times, the latest
/// last. Only where members of the same room were is asked for them again.
///
/// The installation follows from the key in `KeyFile` if libsodium is there; the line is for a start without it. Another
/// machine that finds the file, in a copy of the disk or in a home folder on a server, has a file of its own.
struct PeerCache: Equatable, Sendable {
  var installation: MemberID
  /// Whether the installation was kept before.
  private(set) var isKnown = false
  /// Which machine it is for; nil if that is not known.
  var machine: UInt64?
  /// Where members were, and in which room.
  var members: [Place] = []

  struct Place: Hashable, Sendable {
    var endpoint: SessionEndpoint
    var room: String
  }

  private static let most = 64
  /// Of one room: members tell of the others.
  private static let mostInRoom = 16

  /// Where it is kept: `$XDG_STATE_HOME/momu/session`, or under `~/.local/state`.
  static func path(_ environment: [String: String]) -> String? {
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return "\(base)/momu/session" }
    return environment["HOME"].map { "\($0)/.local/state/momu/session" }
  }

  /// Where a machine keeps it: beside the file of another machine, if that is there.
  static func path(_ environment: [String: String], machine: UInt64?) -> String? {
    let path = path(environment)
    guard let path, let machine, let other = PeerCache(path: path, machine: nil).machine, other != machine
    else { return path }
    return "\(path)-\(MemberID(machine))"
  }

  /// Where the key is kept of a memory at a path.
  static func keyPath(_ path: String?) -> String? { path.map { "\($0)-key" } }

  /// Reads what is kept; where nothing is, or nothing that can be read, a new installation begins.
  ///
  /// - Parameter machine: which it is for from now on; nil for as the file says.
  init(path: String?, machine: UInt64? = Machine.installed) {
    installation = .random()
    defer { self.machine = machine ?? self.machine }
    guard let path, let text = WholeFile.text(of: path) else { return }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      switch (words.first, words.count) {
      case ("installation", 2):
        if let id = MemberID(String(words[1])) { (installation, isKnown) = (id, true) }
      case ("machine", 2): self.machine = MemberID(String(words[1]))?.bits
      case ("member", 3):
        if let endpoint = SessionEndpoint(typed: String(words[1])) {
          members.append(Place(endpoint: endpoint, room: String(words[2])))
        }
      default: break
      }
    }
    members = Array(members.suffix(Self.most))
  }

  /// Where members of a room were.
  func places(in room: String) -> [SessionEndpoint] { members.filter { $0.room == room }.map(\.endpoint) }

  /// Notes where a member of a room is, which has shown that it receives there; whether that is new.
  mutating func note(_ endpoint: SessionEndpoint, in room: String) -> Bool {
    guard endpoint.isLocal else { return false }
    // Ports are dealt anew at each start; whoever is there hears the shared one.
    var place = Place(endpoint: endpoint, room: room)
    place.endpoint.port = SessionSockets.port
    guard members.last != place else { return false }
    let before = members
    members.removeAll { $0 == place }
    members.append(place)
    let inRoom = members.filter { $0.room == room }
    if inRoom.count > Self.mostInRoom { members.removeAll { $0 == inRoom[0] } }
    members = Array(members.suffix(Self.most))
    return members != before
  }

  /// Keeps it, whole or not at all.
  ///
  /// - Returns: nil, or why it could not be kept.
  @discardableResult
  func write(to path: String) -> String? {
    WholeFile.write(
      "installation \(installation)\n" + (machine.map { "machine \(MemberID($0))\n" } ?? "")
        + members.map { "member \($0.endpoint.text) \($0.room)\n" }.joined(),
      to: path, isPrivate: true)
  }
}

extension MemberID {
  /// A new identity, which nobody has.
  static func random() -> MemberID {
    while true {
      let bits = UInt64.random(in: .min ... .max)
      if bits != 0 { return MemberID(bits) }
    }
  }
}
