import MoMu
import MoSessionCore

/// What a session remembers from one start of the program to the next: who this installation is, and where members
/// were.
///
/// A text file of a line each: `installation ID`, and `member ADDRESS ROOM` up to 64 times, the latest last. Only where
/// members of the same room were is asked for them again.
struct SessionMemory: Equatable, Sendable {
  var installation: MemberID
  /// Where members were, and in which room.
  var members: [Place] = []

  struct Place: Hashable, Sendable {
    var endpoint: SessionEndpoint
    var room: String
  }

  private static let most = 64

  /// Where it is kept: `$XDG_STATE_HOME/momu/session`, or under `~/.local/state`.
  static func path(_ environment: [String: String]) -> String? {
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return "\(base)/momu/session" }
    return environment["HOME"].map { "\($0)/.local/state/momu/session" }
  }

  /// Reads what is kept; where nothing is, or nothing that can be read, a new installation begins.
  init(path: String?) {
    installation = .random()
    guard let path, let text = WholeFile.text(of: path) else { return }
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      switch (words.first, words.count) {
      case ("installation", 2): if let id = MemberID(String(words[1])) { installation = id }
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

  /// Notes where a member of a room is; whether that is new.
  mutating func note(_ endpoint: SessionEndpoint, in room: String) -> Bool {
    // Ports are dealt anew at each start; whoever is there hears the shared one.
    var place = Place(endpoint: endpoint, room: room)
    place.endpoint.port = SessionSockets.port
    guard members.last != place else { return false }
    let before = members
    members.removeAll { $0 == place }
    members.append(place)
    members = Array(members.suffix(Self.most))
    return members != before
  }

  /// Keeps it, whole or not at all.
  ///
  /// - Returns: nil, or why it could not be kept.
  @discardableResult
  func write(to path: String) -> String? {
    WholeFile.write(
      "installation \(installation)\n"
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
