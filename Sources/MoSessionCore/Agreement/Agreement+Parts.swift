import MoCore

/// A part of the room that plays separately from ours.
///
/// This member forgets the part if no message from the part arrives for ten seconds. If the part shares our clock,
/// `state` is the part's state.
package struct SeparatePart: Sendable {
  var part: OtherPart
  var until: HostTime
  /// The time at which this member first heard of the part.
  var since: HostTime
  /// Whether the program was notified that the part plays separately.
  ///
  /// Before that, the part may still join ours automatically.
  var wasReported = false
  package var state: SessionState?

  /// The time in seconds from the last message of a part of the room until the part is forgotten.
  package static let memory = 10.0
  /// The seconds for which an epoch of a separate part is remembered.
  static let memoryOfEpochs = 600.0
  /// The largest number of epochs of separate parts that are remembered.
  static let mostEpochs = 64
}

/// The rules for parts of a room that do not merge automatically.
///
/// Either the two parts have never shared a clock, or people changed the music of both while the parts were cut off
/// from each other. Both parts continue, and both programs are notified. The conductor of either part may let its part
/// join the other.
extension Agreement {
  /// Returns the description of our part that other parts compare with their own (`PartStanding`).
  func standing(_ room: RoomView) -> PartStanding {
    let clock = room.clock
    var standing = clock.pulses.standing(of: clock.base) ?? PartStanding()
    standing.isPlaying = state.isPlaying
    // Before the first agreement there is nothing to keep.
    var policy = state.policy
    policy.only = only
    (standing.rank, standing.rules) = state.version.counter == 0 ? (0, 0) : (policy.rank, policy.digest)
    if clock.isKeeper, let base = clock.base {
      standing.hasConductor = hasConductor(room)
      standing.members = Int32(
        1 + room.members.values.count { room.isHere($0) && $0.summary.base?.lineage == base.lineage })
    }
    return standing
  }

  /// Returns whether our part must join the part with the clock `theirs`.
  ///
  /// People can decide this (`SessionState.joins`); otherwise the rules of `PartStanding.yields` decide.
  func partYields(to theirs: TimeBase, _ room: RoomView) -> Bool {
    guard let mine = room.clock.base else { return false }
    // People have decided so, even if it was not possible at first.
    if state.joins == theirs.lineage { return true }
    guard room.now >= room.clock.skippedParts[theirs.lineage] ?? .distantPast,
      let other = room.clock.pulses.standing(of: theirs)
    else { return false }
    return standing(room).yields(to: other, isOlder: theirs.isOlder(than: mine))
  }

  /// Returns whether the part of a planned merge still exists, and our part should still join it.
  func isStillValid(_ merge: Merge, _ room: RoomView) -> Bool {
    room.clock.base != nil && room.hasKeeper(merge.base) && partYields(to: merge.base, room)
  }

  /// Returns whether our part can join the other part now.
  ///
  /// If the other part has a state, this member must have received the state, and the state must keep our part's rules.
  /// If people chose to join the other part, the rules do not matter.
  func isReady(for merge: Merge, _ room: RoomView) -> Bool {
    // The first member that reported the part may have joined it just before, and lack its state. But a member could
    // also report a state that no member sends: that must not keep our part from joining.
    let hasState =
      merge.version.counter > 0
      || room.now.seconds(since: merge.started) < Merge.timeout / 2
        && room.members.values.contains {
          room.isHere($0) && $0.summary.base?.lineage == merge.base.lineage && $0.summary.version.counter > 0
        }
    if let foreign, isLeaving(merge.base, room),
      room.now.seconds(since: foreignSince) <= Roster.absence || isReported(foreign, room)
    {
      return false
    }
    guard hasState else { return true }
    guard let source = merge.source.flatMap({ room.members[$0] }), let foreign,
      foreign.lineage == merge.base.lineage
    else { return false }
    let reported = source.summary.version
    guard foreign.version >= (merge.version == .none ? reported : min(merge.version, reported)) else {
      return false
    }
    // People who chose to join it have given up the rules here, and accept its epochs.
    let isChosen = state.joins == foreign.lineage
    return foreign.version.isPlausible(after: isChosen ? 2 * StateVersion.most : 0)
      && (isChosen || keepsRules(foreign, room))
  }

  /// Returns whether the part with the clock `theirs`, which is younger than ours, is about to join a part that we
  /// know.
  ///
  /// If people of two parts decide at the same moment to join the other part, the part with the older clock stays.
  /// Otherwise the two parts would change places. For the same reason, three parts do not follow each other in a
  /// circle.
  private func isLeaving(_ theirs: TimeBase, _ room: RoomView) -> Bool {
    guard let mine = room.clock.base, mine.isOlder(than: theirs), let foreign,
      foreign.lineage == theirs.lineage, ![.nobody, foreign.lineage].contains(foreign.joins)
    else { return false }
    return foreign.joins == mine.lineage
      || room.members.values.contains { room.isHere($0) && $0.summary.base?.lineage == foreign.joins }
  }

  /// Withdraws this member's decision to join a part that is about to join a part itself.
  mutating func withdrawDecision(about merge: Merge, _ room: RoomView, _ out: inout Effects) {
    guard state.joins == merge.base.lineage, state.version.holder == room.me, permits(room.installation),
      room.clock.isSynced, isLeaving(merge.base, room), let foreign, isReported(foreign, room)
    else { return }
    write(room, &out) { _ in }
  }

  /// Returns whether our rules still hold after our part has joined a part with the state `other`.
  ///
  /// A merge must not cost members their right to conduct, or their gates.
  private func keepsRules(_ other: SessionState, _ room: RoomView) -> Bool {
    guard mayWrite(other.holderInstallation, room) else { return false }
    let (mine, theirs) = (standing(room).rank, other.policy.rank)
    return theirs > mine || theirs == mine && (mine != 1 || other.policy.gates == state.policy.gates)
  }

  /// Returns the stored state `foreign` if its clock is `base`, else nil; removes the stored state in both cases.
  mutating func popForeign(of base: TimeBase) -> SessionState? {
    defer { foreign = nil }
    return foreign.flatMap { $0.lineage == base.lineage ? $0 : nil }
  }

  // MARK: separate parts

  /// Stores a part that plays separately from ours, on a different clock.
  mutating func recordOtherPart(_ theirs: TimeBase, _ room: RoomView, _ out: inout Effects) {
    guard let mine = room.clock.base, let other = room.clock.pulses.standing(of: theirs) else { return }
    let shouldJoinOurs = other.yields(to: standing(room), isOlder: mine.isOlder(than: theirs))
    let part = OtherPart(lineage: theirs.lineage, keeper: theirs.keeper, standing: other)
    let isKnown = separatePart?.part.lineage == part.lineage
    recordPart(part, isKnown: isKnown, state: nil, shouldJoinOurs: shouldJoinOurs, at: room.now, &out)
  }

  /// Stores a part that shares our clock, but has the state `new`, which diverges from our state.
  mutating func recordDivergingState(_ new: SessionState, _ room: RoomView, _ out: inout Effects) {
    guard let base = room.clock.base else { return }
    recordDivergingEpoch(new.version.epoch, since: room.now)
    let count = room.members.values.count { $0.summary.version.epoch == new.version.epoch }
    let part = OtherPart(
      lineage: base.lineage, keeper: base.keeper,
      standing: PartStanding(isPlaying: new.isPlaying, rank: new.policy.rank, members: Int32(max(1, count))))
    // Any member could write a state that continues the stored state, although the part's rules exclude the writer.
    let isKnown =
      separatePart?.state.map {
        $0 == new
          || $0.relation(of: new) == .newer
            && ($0.policy.permits(new.holderInstallation) || !isReported($0, room))
      } ?? false
    recordPart(
      part, isKnown: isKnown, state: new, shouldJoinOurs: new.canYield(to: state), at: room.now, &out)
  }

  /// Stores an epoch that has diverged from ours since the moment `time`.
  mutating func recordDivergingEpoch(_ epoch: UInt32, since time: HostTime) {
    guard divergingEpochs[epoch] == nil else { return }
    divergingEpochs = divergingEpochs.filter { time.seconds(since: $0.value) < SeparatePart.memoryOfEpochs }
    if divergingEpochs.count < SeparatePart.mostEpochs { divergingEpochs[epoch] = time }
  }

  /// Marks our present state's epochs as diverging, because this member is about to adopt the diverging state `new`.
  ///
  /// Epochs that `new` continues are not marked. When a late copy of our present state arrives, this member knows from
  /// the marks that the copy is old.
  mutating func recordAbandonedEpochs(for new: SessionState, at now: HostTime) {
    let known = [new.version.epoch] + new.ancestors.map(\.epoch)
    for epoch in [state.version.epoch] + state.ancestors.map(\.epoch) where !known.contains(epoch) {
      recordDivergingEpoch(epoch, since: now.advanced(bySeconds: -1))
    }
  }

  /// Returns whether a state belongs to, or continues, an epoch that has diverged from ours for a second or more.
  ///
  /// The state may be in our own epoch, because an epoch can have two branches. This happens if a member takes the
  /// baton while another member hands it the baton, and both begin an epoch with the same number.
  func isKnownDiverging(_ new: SessionState, at now: HostTime) -> Bool {
    let epoch = new.version.epoch
    let others = ([epoch] + new.ancestors.map(\.epoch)).filter { epoch in
      epoch != state.version.epoch && !state.ancestors.contains { $0.epoch == epoch }
    }
    return (epoch == state.version.epoch ? [epoch] : others).contains {
      divergingEpochs[$0].map { now.seconds(since: $0) >= 1 } == true
    }
  }

  /// Stores a separate part, and reports it to the program unless its members should join us.
  ///
  /// - Parameters:
  ///   - isKnown: whether the part is already stored. A different part is stored only after the stored part has gone.
  ///   - shouldJoinOurs: whether the part's members should join us, as far as is known here; the program is then not
  ///     notified yet.
  private mutating func recordPart(
    _ part: OtherPart, isKnown: Bool, state: SessionState?, shouldJoinOurs: Bool, at now: HostTime,
    _ out: inout Effects
  ) {
    guard isKnown || separatePart == nil else { return }
    separatePart = SeparatePart(
      part: part, until: now, since: separatePart?.since ?? now,
      wasReported: separatePart?.wasReported ?? false, state: state)
    renewSeparatePart(at: now)
    if !shouldJoinOurs { reportPart(&out) }
  }

  /// Reports the separate part to the program.
  private mutating func reportPart(_ out: inout Effects) {
    guard let part = separatePart?.part, separatePart?.wasReported == false else { return }
    separatePart?.wasReported = true
    out.event(.apart(part))
  }

  /// Extends the time until which the separate part is remembered, to `SeparatePart.memory` seconds from now.
  mutating func renewSeparatePart(at now: HostTime) {
    separatePart?.until = now.advanced(bySeconds: SeparatePart.memory)
  }

  /// Forgets a part that is gone, or has merged with ours.
  mutating func forgetParts(_ room: RoomView, _ out: inout Effects) {
    guard let separatePart else { return }
    let lineage = room.clock.base?.lineage
    let isOne =
      // If a version is too far ahead of the other, the two states count as separate, too.
      separatePart.state.map {
        $0.lineage != lineage
          || state.relation(of: $0) == .older && !(isTooFarAhead(of: $0) && isRefused(room))
      }
      ?? (separatePart.part.lineage == lineage)
    if room.now >= separatePart.until || isOne {
      self.separatePart = nil
      if separatePart.wasReported { out.event(.together) }
    } else if room.now.seconds(since: separatePart.since) >= Merge.timeout,
      separatePart.until.seconds(since: room.now) > SeparatePart.memory - 2.5
    {
      // Its members have reasons to stay that are not known here.
      reportPart(&out)
    }
  }

  /// Returns whether a present member on our clock refuses our state, since its epoch is too far ahead.
  private func isRefused(_ room: RoomView) -> Bool {
    room.members.values.contains {
      let summary = $0.summary
      return room.isHere($0) && summary.base?.lineage == state.lineage && summary.version.counter > 0
        && !state.version.isPlausible(after: summary.version.counter)
    }
  }

  /// The part of the room that plays separately from ours; nil for none.
  package var reportedPart: OtherPart? { separatePart?.wasReported == true ? separatePart?.part : nil }

  /// Makes all members of our part join the separate part (`separatePart`).
  ///
  /// The conductor decides, or without a conductor any member that may conduct.
  mutating func joinOtherPart(_ room: RoomView, _ out: inout Effects) throws(SessionRefusal) {
    // Until the next check, `separatePart` can still name the part that this member has just joined.
    guard let separatePart, separatePart.wasReported,
      separatePart.state != nil || separatePart.part.lineage != room.clock.base?.lineage
    else { throw .noOtherPart }
    if let theirs = separatePart.state, state.relation(of: theirs) == .newer,
      mayWrite(theirs.holderInstallation, room) || isLapsed(only, at: room.now)
    {
      // Its version is too far ahead, or the only installation that may conduct is away: a person decides. By the
      // rules it may be in force here.
      adopt(theirs, isNewer: true, room, &out)
      claimRight(room, &out)
      out.add(.sweep(by: room.now))
      return
    }
    // The other part would refuse each state that this member writes.
    if let theirs = separatePart.state, isTooFarAhead(of: theirs) { throw .otherPartRefuses }
    try mayConduct(room)
    // Its conductor could not conduct here.
    let theirs = separatePart.state?.policy.only ?? (separatePart.part.standing.rank == 2 ? only : .nobody)
    guard only == .nobody || only == theirs else { throw .otherPartFree }
    if let theirs = separatePart.state {
      writeOverride(keeping: theirs, replacing: state, room, &out)
      claimRight(room, &out)
    } else {
      try writeIfPermitted(room, &out) { $0.joins = separatePart.part.lineage }
    }
    out.add(.sweep(by: room.now))
  }
}
