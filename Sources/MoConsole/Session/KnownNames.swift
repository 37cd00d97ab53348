import MoCore
import MoMu
import MoSessionCore

/// The names of present and former members of the room, since the roster has only the present ones.
///
/// - Thread: any.
package enum KnownNames {
  private static let names = Locked<[MemberID: String]>([:])
  /// The names of members that have left and not come back.
  private static let gone = Locked<Set<String>>([])
  /// The most names that are kept.
  private static let most = 1024

  /// Returns a member's name; nil if it was never seen, or is hidden.
  package static func name(_ id: MemberID) -> String? {
    let known = MoSession.members.first { $0.identity.member == id }?.displayName
    return names.withLock { names in
      if let known {
        if names.count >= most { names = [:] }
        names[id] = known
      }
      return known ?? names[id]
    }
  }

  /// Returns the noted name of a member; nil if none was noted.
  ///
  /// Unlike `name`, it may be called while the core is locked.
  static func earlier(_ id: MemberID) -> String? { names.withLock { $0[id] } }

  /// Notes the names of the present members.
  static func note(_ roster: [SessionMember]) {
    names.withLock { names in
      if names.count + roster.count > most { names = [:] }
      for member in roster { names[member.identity.member] = member.displayName }
    }
  }

  /// Returns the sentence that a member has left.
  ///
  /// - Parameter said: whether it said goodbye.
  package static func told(_ name: String, left said: Bool) -> String {
    gone.withLock { gone in
      if gone.count < most { gone.insert(name) }
    }
    return "\(name) \(said ? "has left" : "has disappeared")"
  }

  /// Returns the sentence that a member is back; nil for a member that comes for the first time.
  ///
  /// Restarted programs have another ID, so members are recognised by their names.
  package static func told(joined id: MemberID) -> String? {
    guard let name = name(id) else { return nil }
    return gone.withLock { $0.remove(name) }.map { "\($0) is back" }
  }
}
