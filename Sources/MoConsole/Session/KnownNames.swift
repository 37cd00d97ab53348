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
  /// If this machine has lost contact to several members at once, most likely they are all there. Then the result for
  /// the first of them is `noContact`, and nil for the others.
  ///
  /// - Parameter saidGoodbye: whether the member said goodbye; if not, the sentence is `Ada has disappeared`.
  package static func sentence(_ name: String, left saidGoodbye: Bool) -> String? {
    if !saidGoodbye, let lost = MoSession.lostContact, isLossOfSeveral(lost) {
      let begin = Run.current.clock.now.advanced(bySeconds: -lost.seconds)
      return lossBegin.withLock { last in
        if let last, abs(begin.seconds(since: last)) < 2 { return nil }
        last = begin
        return noContact
      }
    }
    gone.withLock { gone in
      if gone.count < most { gone.insert(name) }
    }
    return "\(name) \(saidGoodbye ? "has left" : "has disappeared")"
  }

  /// The sentence that this machine hears no other member.
  static let noContact = "no contact to any other member"

  /// The start of the last loss of contact that was reported by `noContact`; nil for none, or if contact is back.
  private static let lossBegin = Locked<HostTime?>(nil)

  /// Returns whether several members were heard when the loss of contact began.
  private static func isLossOfSeveral(_ lost: LostContact) -> Bool {
    let gone = MoSession.missing.count { Double($0.silentFor) <= lost.seconds }
    return MoSession.members.count - 1 + gone > 1
  }

  /// Returns the sentence that a member is back, such as `Ada is back`, or that contact is back.
  ///
  /// The result is nil at the member's first arrival.
  ///
  /// Restarted programs have another ID, so members are recognised by their names.
  package static func sentence(joined id: MemberID) -> String? {
    if lossBegin.withLock({ $0.take() }) != nil { return "contact again" }
    guard let name = name(id) else { return nil }
    return gone.withLock { $0.remove(name) }.map { "\($0) is back" }
  }
}
