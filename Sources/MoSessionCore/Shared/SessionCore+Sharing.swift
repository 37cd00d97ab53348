import MoCore

extension SessionCore {
  /// Tells everybody of changes to something that is shared, a drum machine or the like.
  ///
  /// All who are here have them within a moment, and who comes later, too; concurrent ones converge, cell by cell.
  ///
  /// - Throws: `SessionRefusal.badParameter`, `tooManyCells`.
  package mutating func share(_ edits: SharedEdits, now: HostTime) throws(SessionRefusal) {
    guard edits.name.isPlain(most: 64) else { throw .badParameter(edits.name) }
    sharing.store.makeRoom(for: edits, at: now)
    guard sharing.store.hasRoom(for: edits) else { throw .tooManyCells }
    let changed = sharing.store.merge(edits)
    guard !changed.isEmpty else { return }
    sharing.store.note(settings.identity.installation, of: edits.name, at: now)
    for part in SharedEdits(edits.name, changed).parts {
      notify(.sent(.cells(part), .others, isForMe: false, stamp: nil), at: now)
    }
    if let place = sharing.pending.firstIndex(where: { $0.name == edits.name }) {
      sharing.pending[place].edits += changed
    } else {
      sharing.pending.append(SharedEdits(edits.name, changed))
    }
    sharing.nextFlush = min(sharing.nextFlush, now.advanced(bySeconds: Sharing.gathering))
  }

  /// Whether all that the room shares is known here: a newcomer sets nothing of its own before.
  package var knowsShared: Bool { isSynced && (isKeeper || sharing.isSettled) }

  /// All that is set of something that is shared, by its keys.
  package func shared(_ name: String) -> [SharedEdit] {
    sharing.store.edits(of: name)
  }

  /// All that is shared, in as many messages as it takes.
  package var allShared: [SharedEdits] { sharing.store.messages }

  /// Tells others of what was changed here.
  mutating func flushShared(at now: HostTime) {
    guard now >= sharing.nextFlush else { return }
    sharing.nextFlush = .distantFuture
    let pending = sharing.pending
    sharing.pending.removeAll(keepingCapacity: true)
    for thing in pending {
      let everybody = members.keys.sorted()
      chooseCalls(among: everybody, at: now)
      for part in thing.parts {
        guard play.isCalling else {
          for id in everybody { post(.cells(part), to: id, at: now) }
          continue
        }
        let message = PlayMessage(
          from: me, to: .nobody, stream: 0, number: 0, first: 0, stamp: nil, play: .cells(part))
        _ = postToAll(message, everybody, at: now)
      }
    }
  }

  private mutating func post(_ play: SessionPlay, to id: MemberID, at now: HostTime) {
    _ = post(
      PlayMessage(from: me, to: id, stream: 0, number: 0, first: 0, stamp: nil, play: play), at: now)
  }

  /// Takes in changes, and tells the program of those that changed anything.
  mutating func take(_ edits: SharedEdits, from id: MemberID, now: HostTime) -> SharedEdits? {
    // A part of the room that goes on beside ours shares things of its own.
    guard let sender = members[id], sender.brief.base?.lineage == base?.lineage else { return nil }
    let believed = believable(edits)
    counts.gated += edits.edits.count - believed.edits.count
    sharing.store.makeRoom(for: believed, at: now)
    let changed = sharing.store.merge(believed, isDecided: id == base?.keeper)
    guard !changed.isEmpty else { return nil }
    sharing.store.note(sender.identity.installation, of: edits.name, at: now)
    return SharedEdits(edits.name, changed)
  }

  // MARK: mending what did not come through

  /// Compares the keeper's digest, as its hello says it, with the own one.
  mutating func compareShared(_ digest: UInt64, of id: MemberID, now: HostTime) {
    guard let base, id == base.keeper, members[id]?.brief.base?.lineage == base.lineage else { return }
    guard digest != sharing.store.digest else {
      (sharing.differs, sharing.hasAsked, sharing.repairs) = (nil, false, 0)
      sharing.isSettled = true
      return
    }
    let differs = sharing.differs ?? now
    sharing.differs = differs
    // Where something is changed all the time the two are never seen to be the same.
    if sharing.store.count > 0, now.seconds(since: differs) > Sharing.settling { sharing.isSettled = true }
    // Who has nothing yet is a newcomer.
    guard sharing.store.count == 0 || now.seconds(since: differs) >= Sharing.timeout,
      now >= sharing.nextRepair, let endpoint = members[id]?.endpoint
    else { return }
    sharing.repaired(at: now)
    sharing.hasAsked = digest != 0 && (sharing.store.count == 0 || !sharing.hasAsked)
    if sharing.hasAsked {
      send(.askCells(from: me, to: id), to: endpoint)
    } else {
      // All of the keeper's is here, so it lacks what is ours.
      for message in sharing.store.messages { post(.cells(message), to: id, at: now) }
    }
  }

  /// Notes whose things are in use; and tells the part of the room that was joined what it lacks of ours.
  mutating func lookAfterShared(at now: HostTime) {
    if sharing.store.count > 0, now >= sharing.nextLook {
      sharing.nextLook = now.advanced(bySeconds: 10)
      let here = members.values.filter { isHere($0, at: now) }.map(\.identity.installation)
      sharing.store.note(here: Set(here + [settings.identity.installation]), at: now)
    }
    guard knowsShared, let brought = sharing.brought else { return }
    sharing.brought = nil
    for name in brought.things.keys.sorted() where sharing.store.things[name] == nil {
      try? share(SharedEdits(name, brought.edits(of: name)), now: now)
    }
  }

  /// Tells a member all that is shared, not more often than it may need it.
  mutating func answerCells(_ id: MemberID, now: HostTime) {
    if let last = sharing.answered[id], now.seconds(since: last) < Sharing.pause / 2 {
      counts.unwanted += 1
      return
    }
    sharing.answered[id] = now
    for message in sharing.store.messages { post(.cells(message), to: id, at: now) }
  }
}
