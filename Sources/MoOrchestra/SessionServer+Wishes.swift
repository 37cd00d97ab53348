import MoCore
import MoMu
import MoSessionCore

/// What is wished of a session beside what its protocol does at once.
extension SessionServer {
  /// Hears the programs of a member's installation no more, or again, also after being killed.
  ///
  /// - Throws: `SessionRefusal.unknownMember`, `SessionError.notJoined`.
  package func ignore(_ member: MemberID, _ isIgnored: Bool) throws {
    let done = try perform { core, _ throws(SessionRefusal) in
      try core.setIgnored(isIgnored, member)
      return core.settings.ignored
    }
    guard let done else { throw SessionError.notJoined }
    lock.withLock {
      record?.ignored = done.sorted()
      if let slot, let record { keeper.keep(record, in: slot) }
    }
  }

  /// What was kept under a name; nil for nothing.
  func kept(_ name: String) -> String? { lock.withLock { record?.kept[name] } }

  /// Keeps a text under a name for a start after being killed; nil takes it back.
  func keep(_ value: String?, as name: String) {
    lock.withLock {
      guard record != nil, record?.kept[name] != value, record?.keep(value, as: name) == true else { return }
      if let slot, let record { keeper.keep(record, in: slot) }
    }
  }

  /// Says that the program still lives, for those who look whether it was killed just now or long ago.
  func stillHere() { lock.withLock { if let slot { keeper.touch(slot) } } }

  /// Starts the rhythm, as soon as the room's clock is known: right after joining it is not.
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

  /// Starts the rhythm that was wanted while the room was still being looked for; why it cannot be, if so.
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
