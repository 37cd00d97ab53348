import MoSessionCore

/// Why a session could not be joined; the text says what to do.
public enum SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system gave no sockets.
  case sockets(String)
  /// The port that sessions share could not be had.
  case port(UInt16, String)
  /// A room's name that cannot be one.
  case badRoom(String)
  /// An address to look for members at that is none.
  case badPeer(String)
  /// The room cannot be locked.
  case notLocked(SealingError)
  /// No thread could be had.
  case thread(String)
  /// A tape cannot be made: its path, and the system's reason.
  case uncreatable(String, String)
  /// A tape cannot be written.
  case tape(String)
  /// This installation's key cannot be replaced: the path, and the system's reason.
  case unrenewable(String)
  /// A session is asked for something before it was joined.
  case notJoined

  private static func isLinkLocal(_ text: String) -> Bool {
    let bare = text.lowercased().drop { $0 == "[" }
    return ["fe8", "fe9", "fea", "feb"].contains { bare.hasPrefix($0) } && bare.contains(":")
  }

  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .sockets(let reason): "no sockets for the session: \(reason); close some programs"
    case .port(let port, let reason):
      "port \(port), which sessions share, cannot be used: \(reason); a program that does not share it may hold it "
        + "(momu doctor)"
    case .badRoom(let room):
      // Controls shown as what they are.
      "\(room.debugDescription) is no name for a room: use 1 to 100 letters, such as --room Lab"
    case .badPeer(let text):
      Self.isLinkLocal(text)
        ? "\"\(text)\" is good on one network only: name its interface as well, such as fe80::1%wlan0 (ip link shows them)"
        : "\"\(text)\" is no address of a member: type one such as 192.168.0.5, 192.168.0.5:6450, 2001:db8::5, "
          + "[fe80::1%wlan0]:6450, or a name such as ada.local"
    case .notLocked(let error): error.description
    case .thread(let reason): reason
    case .uncreatable(let path, let reason):
      "cannot record the session to \(path): \(reason); name a file in a folder that is there and yours"
    case .tape(let reason): reason
    case .unrenewable(let reason):
      "this installation's key cannot be replaced (\(reason)): set XDG_STATE_HOME to a folder of yours"
    case .notJoined: "no room was joined: call MoSession.join() first"
    }
  }
}
