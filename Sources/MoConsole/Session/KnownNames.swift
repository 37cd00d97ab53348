import MoCore
import MoMu
import MoSessionCore

/// The names of present and former members of the room; the roster has only the present members.
///
/// - Thread: any.
package enum KnownNames {
  private static let names = Locked<[MemberID: String]>([:])
  /// The names of members that have left and not come back.
  private static let gone = Locked<Set<String>>([])
  /// The largest number of names in `names`, and of names in `gone`.
  ///
  /// If `names` is full, all its names are dropped. If `gone` is full, further names are not added.
  private static let most = 1024

  /// Returns the name of a present or former member; nil if the member was never in the roster or is hidden.
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

  /// Returns the name that was stored for a member; nil if no name was stored.
  ///
  /// Unlike `name`, this function may be called while the session's core is locked.
  static func earlier(_ id: MemberID) -> String? { names.withLock { $0[id] } }

  /// Stores the names of the present members.
  static func store(_ roster: [SessionMember]) {
    names.withLock { names in
      if names.count + roster.count > most { names = [:] }
      for member in roster { names[member.identity.member] = member.displayName }
    }
  }

  /// Returns the sentence that a member has left, such as `Ada has left`, and stores the name among those of gone
  /// members.
  ///
  /// The result is nil if this machine has lost contact to several members at once: most likely they are all there, and
  /// the status line says `no contact`.
  ///
  /// - Parameter saidGoodbye: whether the member said goodbye; if not, the sentence is `Ada has disappeared`.
  package static func sentence(_ name: String, left saidGoodbye: Bool) -> String? {
    let others = MoSession.members.count - 1 + MoSession.missing.count
    if !saidGoodbye, others > 1, MoSession.lostContact != nil { return nil }
    gone.withLock { gone in
      if gone.count < most { gone.insert(name) }
    }
    return "\(name) \(saidGoodbye ? "has left" : "has disappeared")"
  }

  /// Returns the sentence that a member is back, such as `Ada is back`; nil at the member's first arrival.
  ///
  /// Restarted programs have another ID, so members are recognised by their names.
  package static func sentence(joined id: MemberID) -> String? {
    guard let name = name(id) else { return nil }
    return gone.withLock { $0.remove(name) }.map { "\($0) is back" }
  }
}
