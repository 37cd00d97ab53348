import MoCore

/// Shared data such as drum machines: the cells, the changes to send, and the comparison with the keeper's cells.
///
/// Concurrent changes converge, cell by cell.
package struct Sharing: Sendable {
  package var store = SharedStore()
  /// The shared data that our part of the room had before it joined another part; nil if there is nothing to send.
  ///
  /// When the other part's data is known here, the things that the other part lacks are sent.
  var formerStore: SharedStore?
  /// This member's changes that are gathered, to be sent at `nextFlush`.
  var pending: [SharedEdits] = []
  /// The time at which the gathered changes are sent; distant future if there are none.
  var nextFlush = HostTime.distantFuture
  /// The time from which the keeper's digest (hash of all cells) differs from this member's; nil while both are equal.
  var differsSince: HostTime?
  /// Whether this member has received the room's shared data.
  ///
  /// The value becomes true when this member's digest (a hash of all cells) equals the keeper's. It also becomes true
  /// if the digests differ for `newcomerTimeout` seconds and this member has some cells.
  var isReceived = false
  /// Whether the last repair asked the keeper for cells; the next repair then sends this member's cells to the keeper.
  var hasAsked = false
  /// The number of repairs (requests or transmissions of cells) since the keeper's digest was last equal to this
  /// member's, or since both digests last changed.
  var repairs = 0
  /// The time at which `maintain` next updates the time of the last use of each thing.
  var nextUseCheck = HostTime.distantPast
  /// The earliest time of the next repair.
  var nextRepair = HostTime.distantPast
  /// The two digests (hashes of all cells) that `compare` last saw, and the time since which neither has changed.
  ///
  /// The time becomes nil when `compare` has shortened the pauses between repairs for these digests.
  private var compared: (keeper: UInt64, own: UInt64, since: HostTime?) = (0, 0, nil)
  /// The earliest time at which the pauses between repairs may start from the shortest again.
  private var nextReset = HostTime.distantPast
  /// The time at which this member last answered each member's request for all shared data.
  var answered: [MemberID: HostTime] = [:]

  package init() {}

  /// Seconds in which changes are gathered into one message.
  static let batchDelay = 0.005
  /// Seconds for which the digests must differ before a repair: the missing message may still be under way.
  static let timeout = 0.8
  /// Seconds for which the digests must differ before a newcomer counts as having received all shared data anyway.
  ///
  /// The newcomer must have received some cells. If data changes all the time, the digests may never be equal.
  static let newcomerTimeout = 3.0
  /// Seconds between two repairs; from the fifth repair on, each pause is twice the previous pause.
  ///
  /// When neither digest has changed for `newcomerTimeout`, the pauses start from the shortest once more, at most every
  /// `longestPause`.
  static let pause = 0.9
  /// The longest pause between two repairs, in seconds.
  static let longestPause = 60.0

  /// The time at which gathered changes are sent next.
  var next: HostTime { nextFlush }

  mutating func shift(by nanoseconds: Int64) {
    store.shift(by: nanoseconds)
    nextUseCheck = .distantPast
    nextFlush.shift(by: nanoseconds)
    differsSince = nil
    compared = (0, 0, nil)
    nextReset = .distantPast
    nextRepair = .distantPast
    answered = [:]
  }

  /// Returns whether all shared data of the room is known here; until then, a newcomer makes no changes of its own.
  func isKnown(_ clock: ClockSync) -> Bool { clock.isSynced && (clock.isKeeper || isReceived) }

  /// Empties the store, to receive the shared data of another part of the room; `formerStore` keeps the previous data.
  mutating func join() {
    if store.count > 0 || formerStore == nil { formerStore = store }
    (store, pending, nextFlush) = (SharedStore(), [], .distantFuture)
    (differsSince, isReceived, hasAsked, repairs, nextRepair) = (nil, false, false, 0, .distantPast)
  }

  mutating func forget(_ id: MemberID) { answered[id] = nil }

  // MARK: changes

  /// Applies changes to the shared data, and sends them to the other members.
  ///
  /// The other members receive the changes within a moment, and later members when they join.
  package mutating func share(
    _ edits: SharedEdits, by installation: MemberID, at now: HostTime, _ out: inout Effects
  ) throws(SessionRefusal) {
    guard edits.name.isPlain(most: 64) else { throw .badParameter(edits.name) }
    store.freeSpace(for: edits, at: now)
    guard store.hasSpace(for: edits) else { throw .tooManyCells }
    let changed = store.merge(edits)
    guard !changed.isEmpty else { return }
    store.recordUse(installation, of: edits.name, at: now)
    for part in SharedEdits(edits.name, changed).parts {
      out.add(.notice(.sent(.cells(part), .crowd(.others), isForMe: false, stamp: nil)))
    }
    if let place = pending.firstIndex(where: { $0.name == edits.name }) {
      pending[place].edits += changed
    } else {
      pending.append(SharedEdits(edits.name, changed))
    }
    nextFlush = min(nextFlush, now.advanced(bySeconds: Self.batchDelay))
  }

  /// Removes and returns this member's changes that are due to be sent.
  mutating func popDue(at now: HostTime) -> [SharedEdits] {
    guard now >= nextFlush else { return [] }
    nextFlush = .distantFuture
    defer { pending.removeAll(keepingCapacity: true) }
    return pending
  }

  /// Merges a member's changes into the shared data; returns the changes that had an effect, nil for none.
  ///
  /// - Parameter now: the time at which the changes apply.
  package mutating func receive(
    _ edits: SharedEdits, from id: MemberID, _ room: RoomView, at now: HostTime, _ out: inout Effects
  ) -> SharedEdits? {
    // A separate part of the room has shared data of its own.
    guard let sender = room.members[id], room.sharesClock(id) else { return nil }
    let genuine = Sections.withoutForged(edits)
    out.counts.gated += edits.edits.count - genuine.edits.count
    store.freeSpace(for: genuine, at: now)
    let changed = store.merge(genuine, isDecided: id == room.clock.base?.keeper)
    guard !changed.isEmpty else { return nil }
    store.recordUse(sender.identity.installation, of: edits.name, at: now)
    return SharedEdits(edits.name, changed)
  }

  // MARK: repair

  /// Compares the keeper's digest from its hello with this member's digest.
  ///
  /// If the digests differ, a repair asks the keeper for cells, and the next repair sends cells to the keeper.
  ///
  /// - Returns: this member's cells, to be sent to the keeper; empty if nothing is to be sent.
  package mutating func compare(
    _ digest: UInt64, of id: MemberID, _ room: RoomView, _ out: inout Effects
  ) -> [SharedEdits] {
    guard let base = room.clock.base, id == base.keeper, room.sharesClock(id) else { return [] }
    guard digest != store.digest else {
      (differsSince, hasAsked, repairs, nextReset) = (nil, false, 0, .distantPast)
      isReceived = true
      return []
    }
    let now = room.now
    let since = differsSince ?? now
    differsSince = since
    // If data changes all the time, the two are never seen to be equal.
    if store.count > 0, now.seconds(since: since) > Self.newcomerTimeout { isReceived = true }
    if compared.keeper != digest || compared.own != store.digest {
      compared = (digest, store.digest, now)
    } else if let unchanged = compared.since, now.seconds(since: unchanged) > Self.newcomerTimeout,
      now >= nextReset
    {
      // While data changes all the time, repairs fail and their pauses grow. Now the data no longer changes.
      compared.since = nil
      nextReset = now.advanced(bySeconds: Self.longestPause)
      (repairs, nextRepair) = (0, .distantPast)
    }
    // A member without any shared data is a newcomer.
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

  /// Returns all shared data for a member that asks; empty if the member asks too often.
  package mutating func answer(_ id: MemberID, at now: HostTime, _ out: inout Effects) -> [SharedEdits] {
    if let last = answered[id], now.seconds(since: last) < Self.pause / 2 {
      out.counts.unwanted += 1
      return []
    }
    answered[id] = now
    return store.messages
  }

  /// Updates the time of the last use of each thing, and sends things that the members of a joined part lack.
  ///
  /// After our part of the room has joined another part, these are our part's things that the other part does not have.
  mutating func maintain(_ room: RoomView, _ out: inout Effects) {
    if store.count > 0, room.now >= nextUseCheck {
      nextUseCheck = room.now.advanced(bySeconds: 10)
      let here = room.members.values.filter { room.isHere($0) }.map(\.identity.installation)
      store.renewUses(here: Set(here + [room.installation]), at: room.now)
    }
    guard isKnown(room.clock), let formerStore else { return }
    self.formerStore = nil
    for name in formerStore.things.keys.sorted() where store.things[name] == nil {
      try? share(SharedEdits(name, formerStore.edits(of: name)), by: room.installation, at: room.now, &out)
    }
  }
}
