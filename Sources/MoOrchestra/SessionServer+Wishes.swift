import MoCore
import MoMu
import MoSessionCore

/// Requests that outlive one protocol step: the ignore list, kept texts, and a deferred start.
extension SessionServer {
  /// Mutes or unmutes all programs of a member's installation locally, also after being killed.
  ///
  /// - Throws: `SessionRefusal.unknownMember`, `SessionError.notJoined`.
  package func ignore(_ member: MemberChoice, _ isIgnored: Bool) throws {
    let done = try perform { core, now throws(SessionRefusal) in
      try core.setIgnored(isIgnored, core.member(member, at: now))
      return core.settings.ignored
    }
    guard let done else { throw SessionError.notJoined }
    lock.withLock {
      record?.ignored = done.sorted()
      if let slot, let record { keeper.keep(record, in: slot) }
    }
  }

  /// Returns the text that was kept under a name; nil for none.
  func kept(_ name: String) -> String? { lock.withLock { record?.kept[name] } }

  /// Keeps a text under a name for a start after being killed; nil deletes it.
  func keep(_ value: String?, as name: String) {
    lock.withLock {
      guard record != nil, record?.kept[name] != value, record?.keep(value, as: name) == true else { return }
      if let slot, let record { keeper.keep(record, in: slot) }
    }
  }

  /// Records that the program still lives; later it shows whether the program was killed just now or long ago.
  func stillHere() { lock.withLock { if let slot { keeper.touch(slot) } } }

  /// Starts the rhythm as soon as the room's clock is known, which it is not right after joining.
  ///
  /// - Throws: `SessionRefusal`, `SessionError.notJoined`.
  package func start(_ beginning: SessionCore.Beginning) throws {
    do {
      let done: Void? = try perform { core, now throws(SessionRefusal) in try core.start(beginning, now: now)
      }
      guard done != nil else { throw SessionError.notJoined }
    } catch SessionRefusal.arriving {
      lock.withLock { wanted = beginning }
    }
  }

  /// Starts the requested rhythm once the room is found; returns the reason if it cannot start.
  func startIfWanted(at now: HostTime) -> SessionRefusal? {
    guard let beginning = wanted else { return nil }
    do throws(SessionRefusal) {
      try core?.start(beginning, now: now)
      wanted = nil
      return nil
    } catch {
      guard error != .arriving else { return nil }
      wanted = nil
      return error
    }
  }
}
