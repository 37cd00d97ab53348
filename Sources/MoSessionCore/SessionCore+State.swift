import MoCore

extension SessionCore {
  // MARK: taking in

  /// Takes in a state that a member has.
  mutating func take(_ new: SessionState, from id: MemberID, now: HostTime) {
    guard new.lineage == base?.lineage else {
      // Kept for when its clock is gone by here, too.
      guard new.lineage == merge?.base.lineage || base == nil else { return }
      if foreign?.lineage != new.lineage || foreign?.relation(of: new) != .older { foreign = new }
      nextSweep = min(nextSweep, now)
      return
    }
    guard isPlausible(new.version, from: id, at: now) else {
      counts.unwanted += 1
      // A forger may have left it to honest members, which go on by it: both sides are told.
      if state.version.counter > 0, state.relation(of: new) != .older { noteStateBeside(new, at: now) }
      return tellState(to: id, most: 1, now: now)
    }
    let relation = state.relation(of: new)
    guard relation != .older else { return }
    // The one that alone may conduct comes into a room that plays: it leads that music on.
    let isFound = state.version == .none && only == settings.identity.installation && sync.isArriving(at: now)
    guard isFound || isLegitimate(new, from: id, at: now) else {
      return refuse(new, from: id, isNewer: relation == .newer, now: now)
    }
    guard relation == .newer || yields(to: new, from: id, at: now) else {
      noteStateBeside(new, at: now)
      return tellState(to: id, most: 1, now: now)
    }
    adopt(new, isNewer: relation == .newer, at: now)
    // Its rule is to hold for all, also once it has gone.
    if isFound, state.policy.only != only { write(at: now) { _ in } }
  }

  /// Whether the room can have come to an epoch.
  private mutating func isPlausible(_ version: StateVersion, from id: MemberID, at now: HostTime) -> Bool {
    // A newcomer goes by what others know.
    let heard = members.lazy.filter { $0.key != id }.map(\.value.brief.version.counter).max() ?? 0
    let epochs = state.version.counter == 0 ? max(heard, highestEpoch) : highestEpoch
    // Else a stranger could raise it, jump by jump, to the last of all in no time.
    return version.isPlausible(after: epochs)
      && (!version.isFar(after: epochs) || epochJumps.allows(at: now, most: 1))
  }

  /// Whether we go over to a state beside ours by ourselves.
  private func yields(to new: SessionState, from id: MemberID, at now: HostTime) -> Bool {
    var mine = state
    mine.policy.only = only
    // Both writers heard each other if the other has been here since ours was written.
    let writer = members[new.version.holder] ?? members[id]
    let isAtOnce =
      now.seconds(since: stateSince) < Self.race && writer.map { $0.hereSince < stateSince } ?? false
    // A change to a rhythm that went on beside theirs already is no race with theirs.
    return mine.yields(to: new, isRace: isAtOnce && !isKnownBeside(new, at: now))
  }

  /// Seconds after which two states that were written at once have met.
  static let race = 5.0

  /// Lets a state hold here.
  mutating func adopt(_ new: SessionState, isNewer: Bool, at now: HostTime) {
    highestEpoch = max(highestEpoch, new.version.counter)
    let before = state
    if new.version.epoch != before.version.epoch || new.lastChange != before.lastChange { stateSince = now }
    let isJoin = new.timeline != nil && beside?.state?.timeline?.take == new.timeline?.take
    liftSilence(by: new, isFollowing: isNewer && !isJoin)
    state = new
    tellHandOver(after: before)
    if isNewer, isStart(after: before, at: now) { events.append(.started) }
    if new.timeline != before.timeline { show(new.timeline, at: now) }
    if before.conductor == me, only != .nobody, only != settings.identity.installation {
      events.append(.refused(only: only))
    }
    lookForConductor(at: now)
    for id in Array(members.keys) { noteLag(of: id, now: now) }
  }

  /// Whether the rhythm was started since a state, other than by joining one that ran already.
  private func isStart(after before: SessionState, at now: HostTime) -> Bool {
    guard let timeline = state.timeline, timeline.last.isPlaying, timeline.take != before.timeline?.take
    else {
      return false
    }
    // A newcomer hears of what began long ago.
    let isFresh = timeline.last.start > beatClock.sessionTime(at: now).advanced(bySeconds: -Self.race)
    return beside?.state?.timeline?.take != timeline.take && (before.version.counter > 0 || isFresh)
  }

  /// Leaves a state that its holder may not write, and says what holds.
  private mutating func refuse(_ new: SessionState, from id: MemberID, isNewer: Bool, now: HostTime) {
    counts.gated += 1
    let mine = settings.identity.installation
    let isUntold = only == mine && state.policy.only != mine
    guard isUntold || isNewer && isToReaffirm(at: now) else {
      if isNewer { passOn(new, at: now) } else { noteStateBeside(new, at: now) }
      return tellState(to: id, most: 1, now: now)
    }
    guard reaffirming.allows(at: now, most: 1) else { return }
    highestEpoch = max(highestEpoch, new.version.counter)
    if isUntold {
      write(at: now) { _ in }
    } else {
      pass(to: state, from: new, at: now)
    }
  }

  /// Passes a refused state on to a member that may conduct and may not hear the writer, so that it writes a newer one.
  private mutating func passOn(_ refused: SessionState, at now: HostTime) {
    // From a member that may conduct it would count as that member's own state.
    guard !permits(settings.identity.installation), let message = message(telling: refused),
      let authority = members.filter({ isAllowed($0.value, at: now) }).keys.min(),
      let endpoint = members[authority]?.endpoint, reaffirming.allows(at: now, most: 1)
    else { return }
    send(message, to: endpoint)
  }

  /// Tells a member our state, which its own did not replace.
  mutating func tellState(to id: MemberID, most: Int, now: HostTime) {
    guard state.version != .none, let index = members.index(forKey: id),
      members.values[index].tellings.allows(at: now, most: most), let message = stateMessage
    else { return }
    send(message, to: members.values[index].endpoint)
  }

  /// Tells a member of another part, which measures our clock to join us, what is played here.
  ///
  /// Versions of two parts say nothing of each other, so it may lack ours though its own is higher.
  mutating func tellStateOfPart(to id: MemberID, now: HostTime) {
    guard let theirs = members[id]?.brief.base, theirs.lineage != base?.lineage else { return }
    tellState(to: id, most: 2, now: now)
  }

  /// Shows a course: at once if it continues what is heard, else from the next bar line on.
  ///
  /// Nothing is shown before the clock is known that it is on.
  mutating func show(_ new: Timeline?, at now: HostTime) {
    upcoming = nil
    guard isSynced else {
      (beatClock.timeline, beatClock.floor) = (nil, -.greatestFiniteMagnitude)
      return
    }
    let before = beatClock.beat(at: now)
    let isHeard = beatClock.isPlaying(at: now)
    let time = beatClock.sessionTime(at: now)
    if isHeard, let before, let new, new.isPlaying(at: time),
      abs(new.beat(at: time) - before) > Self.continuous
    {
      let at = barLine(after: now)
      upcoming = (new, at)
      events.append(.merging(at: at))
      return
    }
    beatClock.timeline = new
    if isHeard, new?.isPlaying(at: time) == true {
      keepFloor(before, at: now)
    } else {
      beatClock.floor = -.greatestFiniteMagnitude
    }
    events.append(.timeline)
  }

  /// Notes whether anybody conducts.
  mutating func lookForConductor(at now: HostTime) {
    let conductor = conductor(at: now)
    conductorLostAt = state.conductor == nil || conductor != nil ? nil : conductorLostAt ?? now
    guard conductor != lastConductor else { return }
    lastConductor = conductor
    events.append(.conductor(conductor))
    activity.begin(at: now)
    waitForBar(at: now)
    nextSweep = min(nextSweep, now.advanced(bySeconds: 0.25))
  }

  /// Who conducts, if it is here.
  public func conductor(at now: HostTime) -> MemberID? {
    guard let holder = state.conductor, isHere(holder, at: now) else {
      return nil
    }
    return holder
  }

  // MARK: telling

  /// Notes whether a member lacks the newest state.
  mutating func noteLag(of id: MemberID, now: HostTime) {
    guard let index = members.index(forKey: id) else { return }
    if members.values[index].brief.version >= state.version {
      guard lagging.remove(id) != nil else { return }
      members.values[index].push = StatePush()
    } else if members.values[index].push.since == nil {
      let next = now.advanced(bySeconds: pushDelay(at: now))
      members.values[index].push.since = now
      members.values[index].push.next = next
      lagging.insert(id)
      nextPush = min(nextPush, next)
    }
  }

  /// Seconds before a member that lacks the state is told it by us: the holder at once, then the keeper, then anybody
  /// who has not heard in its next call to all that it knows; else all would tell all.
  private func pushDelay(at now: HostTime) -> Double {
    if state.version.holder == me || state.version == handed { return 0 }
    if isKeeper { return isHere(state.version.holder, at: now) ? 0.3 : 0 }
    return 1.25 * roomInterval
  }

  mutating func take(_ version: StateVersion, of id: MemberID, now: HostTime) {
    guard let index = members.index(forKey: id) else { return }
    members.values[index].note(version)
    noteLag(of: id, now: now)
  }

  mutating func pushState(at now: HostTime) {
    guard now >= nextPush else { return }
    var due: [(id: MemberID, endpoint: SessionEndpoint)] = []
    nextPush = .distantFuture
    for id in lagging {
      guard let index = members.index(forKey: id) else { continue }
      if now >= members.values[index].push.next {
        let isApart = members.values[index].brief.version == beside?.state?.version
        members.values[index].push.sent(
          at: now, most: isApart ? StatePush.pauseApart : StatePush.longestPause)
        due.append((id, members.values[index].endpoint))
      }
      nextPush = min(nextPush, members.values[index].push.next)
    }
    guard !due.isEmpty else { return }
    guard let datagram = stateMessage?.encoded() else { return }
    for member in due.sorted(by: { $0.id < $1.id }) {
      outgoing.append(Outgoing(destination: .one(member.endpoint), datagram: datagram))
    }
  }
}
