import MoCore

/// What is shared, a drum machine or the like: the cells, which of them are still to be sent, and how they are compared
/// with the keeper's.
///
/// Concurrent changes converge, cell by cell.
struct Sharing: Sendable {
  var store = SharedStore()
  /// What this part of the room shared before it joined another, which is told what it lacks of this.
  var brought: SharedStore?
  /// This member's changes that go out together, and when.
  var pending: [SharedEdits] = []
  var nextFlush = HostTime.distantFuture
  /// When the keeper's digest was first seen to differ; nil while it is equal.
  var differs: HostTime?
  /// Whether the digests were ever equal, so that what the room shares is known.
  var isSettled = false
  /// Whether the last repair asked the keeper, so that the next one tells it.
  var hasAsked = false
  /// Repairs since the digests were equal.
  var repairs = 0
  /// When the uses of shared things are noted next.
  var nextUseCheck = HostTime.distantPast
  /// When the next repair may begin.
  var nextRepair = HostTime.distantPast
  /// When each member was answered last.
  var answered: [MemberID: HostTime] = [:]

  /// Seconds in which changes are gathered into one message.
  static let gathering = 0.005
  /// Seconds after which a difference is repaired: until then the message may be on its way.
  static let timeout = 0.8
  /// Seconds after which what a newcomer has been told counts as all.
  static let settling = 3.0
  /// Least seconds from one repair to the next; more if repairs do not help.
  static let pause = 0.9
  static let longestPause = 60.0

  /// When something is due.
  var next: HostTime { nextFlush }

  mutating func shift(by nanoseconds: Int64) {
    store.shift(by: nanoseconds)
    nextUseCheck = .distantPast
    nextFlush.shift(by: nanoseconds)
    differs = nil
    nextRepair = .distantPast
    answered = [:]
  }

  /// Whether all that the room shares is known here: a newcomer sets nothing of its own before.
  func isKnown(_ clock: ClockSync) -> Bool { clock.isSynced && (clock.isKeeper || isSettled) }

  /// Goes over to another part of the room, whose things are shared from now on.
  mutating func join() {
    if store.count > 0 || brought == nil { brought = store }
    (store, pending, nextFlush) = (SharedStore(), [], .distantFuture)
    (differs, isSettled, hasAsked, repairs, nextRepair) = (nil, false, false, 0, .distantPast)
  }

  mutating func forget(_ id: MemberID) { answered[id] = nil }

  // MARK: changes

  /// Changes something that is shared: the others get it within a moment, and members that come later, too.
  mutating func share(
    _ edits: SharedEdits, by installation: MemberID, at now: HostTime, _ out: inout Effects
  ) throws(SessionRefusal) {
    guard edits.name.isPlain(most: 64) else { throw .badParameter(edits.name) }
    store.makeRoom(for: edits, at: now)
    guard store.hasRoom(for: edits) else { throw .tooManyCells }
    let changed = store.merge(edits)
    guard !changed.isEmpty else { return }
    store.note(installation, of: edits.name, at: now)
    for part in SharedEdits(edits.name, changed).parts {
      out.add(.notice(.sent(.cells(part), .others, isForMe: false, stamp: nil)))
    }
    if let place = pending.firstIndex(where: { $0.name == edits.name }) {
      pending[place].edits += changed
    } else {
      pending.append(SharedEdits(edits.name, changed))
    }
    nextFlush = min(nextFlush, now.advanced(bySeconds: Self.gathering))
  }

  /// Removes and returns this member's changes that are to be sent now.
  mutating func popDue(at now: HostTime) -> [SharedEdits] {
    guard now >= nextFlush else { return [] }
    nextFlush = .distantFuture
    defer { pending.removeAll(keepingCapacity: true) }
    return pending
  }

  /// Takes in a member's changes; returns those that changed anything.
  ///
  /// - Parameter now: when they hold.
  mutating func receive(
    _ edits: SharedEdits, from id: MemberID, _ room: RoomView, at now: HostTime, _ out: inout Effects
  ) -> SharedEdits? {
    // A part of the room that goes on beside ours shares things of its own.
    guard let sender = room.members[id], room.sharesClock(id) else { return nil }
    let believed = Sections.believable(edits)
    out.counts.gated += edits.edits.count - believed.edits.count
    store.makeRoom(for: believed, at: now)
    let changed = store.merge(believed, isDecided: id == room.clock.base?.keeper)
    guard !changed.isEmpty else { return nil }
    store.note(sender.identity.installation, of: edits.name, at: now)
    return SharedEdits(edits.name, changed)
  }

  // MARK: repair

  /// Compares the keeper's digest, as its hello says it, with the own one.
  ///
  /// - Returns: what the keeper lacks, if all of its cells are here.
  mutating func compare(
    _ digest: UInt64, of id: MemberID, _ room: RoomView, _ out: inout Effects
  ) -> [SharedEdits] {
    guard let base = room.clock.base, id == base.keeper, room.sharesClock(id) else { return [] }
    guard digest != store.digest else {
      (differs, hasAsked, repairs) = (nil, false, 0)
      isSettled = true
      return []
    }
    let now = room.now
    let since = differs ?? now
    differs = since
    // If something is changed all the time the two are never seen to be the same.
    if store.count > 0, now.seconds(since: since) > Self.settling { isSettled = true }
    // A member that has nothing yet is a newcomer.
    guard store.count == 0 || now.seconds(since: since) >= Self.timeout, now >= nextRepair,
      let endpoint = room.members[id]?.endpoint
    else { return [] }
    planRepair(at: now)
    hasAsked = digest != 0 && (store.count == 0 || !hasAsked)
    guard hasAsked else { return store.messages }
    out.send(.askCells(from: room.me, to: id), to: endpoint)
    return []
  }

  private mutating func planRepair(at now: HostTime) {
    repairs += 1
    let pause =
      repairs < 5 ? Self.pause : min(Self.longestPause, Self.pause * Double(1 << min(repairs - 4, 8)))
    nextRepair = now.advanced(bySeconds: pause)
  }

  /// All that is shared, for a member that asks, not more often than it may need it.
  mutating func answer(_ id: MemberID, at now: HostTime, _ out: inout Effects) -> [SharedEdits] {
    if let last = answered[id], now.seconds(since: last) < Self.pause / 2 {
      out.counts.unwanted += 1
      return []
    }
    answered[id] = now
    return store.messages
  }

  /// Notes whose things are in use; and shares with the part of the room that was joined what it lacks of ours.
  mutating func maintain(_ room: RoomView, _ out: inout Effects) {
    if store.count > 0, room.now >= nextUseCheck {
      nextUseCheck = room.now.advanced(bySeconds: 10)
      let here = room.members.values.filter { room.isHere($0) }.map(\.identity.installation)
      store.note(here: Set(here + [room.installation]), at: room.now)
    }
    guard isKnown(room.clock), let brought else { return }
    self.brought = nil
    for name in brought.things.keys.sorted() where store.things[name] == nil {
      try? share(SharedEdits(name, brought.edits(of: name)), by: room.installation, at: room.now, &out)
    }
  }
}
