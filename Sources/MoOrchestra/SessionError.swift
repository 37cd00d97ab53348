import MoSessionCore

/// An error in joining or recording a session; the text says what to do.
public enum SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The session's sockets cannot be opened; the value is the system's reason.
  case sockets(String)
  /// The port that all sessions of a machine share cannot be used; the values are the port and the system's reason.
  case port(UInt16, String)
  /// The value is not a valid name of a room.
  case badRoom(String)
  /// The value is not a valid address of a member.
  case badPeer(String)
  /// The room cannot be locked.
  case notLocked(SealingError)
  /// A thread cannot be started; the value is the reason.
  case thread(String)
  /// A tape cannot be created; the values are its path and the system's reason.
  case uncreatable(String, String)
  /// A tape cannot be written; the value is the reason.
  case tape(String)
  /// This installation's key cannot be replaced; the value has the key's path and the system's reason.
  case unrenewable(String)
  /// The call needs a session, but none was joined.
  case notJoined

  private static func isLinkLocal(_ text: String) -> Bool {
    let bare = text.lowercased().drop { $0 == "[" }
    return ["fe8", "fe9", "fea", "feb"].contains { bare.hasPrefix($0) } && bare.contains(":")
  }

  /// The error text: what happened and what to do.
  public var description: String {
    switch self {
    case .sockets(let reason): "cannot open the session's sockets: \(reason); close some programs"
    case .port(let port, let reason):
      "cannot use port \(port), which sessions share: \(reason); if another program uses it, momu doctor shows which"
    case .badRoom(let room):
      // The debug description escapes control characters.
      "\(room.debugDescription) is not a valid room name: use 1 to 100 letters, such as --room Lab"
    case .badPeer(let text):
      Self.isLinkLocal(text)
        ? "\"\(text)\" is link-local and needs an interface: type an address such as fe80::1%wlan0 (ip link lists them)"
        : "\"\(text)\" is not the address of a member: type one such as 192.168.0.5, 192.168.0.5:6450, 2001:db8::5, "
          + "[fe80::1%wlan0]:6450, or a name such as ada.local"
    case .notLocked(let error): error.description
    case .thread(let reason): reason
    case .uncreatable(let path, let reason):
      "cannot record the session to \(path): \(reason); choose a folder that exists and that you can write to"
    case .tape(let reason): reason
    case .unrenewable(let reason):
      "cannot replace this installation's key (\(reason)): set XDG_STATE_HOME to a folder that you can write to"
    case .notJoined: "no room was joined: call MoSession.join() first"
    }
  }
}
