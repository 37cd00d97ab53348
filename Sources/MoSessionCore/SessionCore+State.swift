import MoTime

extension SessionCore {
  // MARK: taking in

  /// Takes in a state of the music.
  mutating func take(_ new: SessionState, now: HostTime) {
    guard new.version.isPlausible(after: highestEpoch),
      // Else a stranger could raise it, jump by jump, to the last of all in no time.
      !new.version.isFar(after: highestEpoch) || epochJumps.allows(at: now, most: 1)
    else {
      counts.unwanted += 1
      return
    }
    guard new.lineage == base?.lineage else {
      // Kept for when its clock is gone by here, too.
      guard new.lineage == merge?.base.lineage || base == nil else { return }
      if foreign.map({ new.version > $0.version || $0.lineage != new.lineage }) ?? true { foreign = new }
      nextSweep = min(nextSweep, now)
      return
    }
    guard new.version > state.version else { return }
    let only = settings.only != .nobody ? settings.only : state.only
    guard only == .nobody || new.holderInstallation == only else {
      if only == settings.identity.installation, overruling.allows(at: now) { overrule(new, at: now) }
      return
    }
    guard isLegitimate(new, at: now) else {
      counts.gated += 1
      if isToOverrule(at: now), overruling.allows(at: now) { overrule(new, at: now) }
      return
    }
    highestEpoch = max(highestEpoch, new.version.counter)
    let wasMine = state.conductor == me
    let isOtherMusic = new.timeline != state.timeline
    state = new
    if isOtherMusic { show(new.timeline, at: now) }
    if wasMine, new.only != .nobody, new.only != settings.identity.installation {
      events.append(.refused(only: new.only))
    }
    lookForConductor(at: now)
    for id in Array(members.keys) { noteLag(of: id, now: now) }
  }

  /// Says again what holds, above one who may not conduct.
  private mutating func overrule(_ refused: SessionState, at now: HostTime) {
    state.isHeld = state.conductor == me
    state.version = refused.version.next(heldBy: me, after: highestEpoch)
    state.lineage = refused.lineage
    state.holderInstallation = settings.identity.installation
    if settings.only != .nobody { state.only = settings.only }
    wrote(at: now)
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
    guard conductor != lastConductor else { return }
    lastConductor = conductor
    events.append(.conductor(conductor))
    activity.begin(at: now)
    waitForBar(at: now)
    nextSweep = min(nextSweep, now.advanced(bySeconds: 0.25))
  }

  /// Who conducts, if it is here.
  public func conductor(at now: HostTime) -> MemberID? {
    guard let holder = state.conductor, isHere(holder, at: now) else { return nil }
    return holder
  }

  // MARK: telling

  /// Notes whether a member lacks the newest state.
  mutating func noteLag(of id: MemberID, now: HostTime) {
    guard let index = members.index(forKey: id) else { return }
    let isWaiting = members.values[index].push.since != nil
    if members.values[index].brief.version >= state.version {
      guard isWaiting else { return }
      members.values[index].push = StatePush()
      lagging.remove(id)
    } else if !isWaiting {
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
    guard let index = members.index(forKey: id), version > members.values[index].brief.version else { return }
    members.values[index].brief.version = version
    noteLag(of: id, now: now)
  }

  mutating func pushState(at now: HostTime) {
    guard now >= nextPush else { return }
    var due: [(id: MemberID, endpoint: SessionEndpoint)] = []
    nextPush = .distantFuture
    for id in lagging {
      guard let index = members.index(forKey: id) else { continue }
      if now >= members.values[index].push.next {
        members.values[index].push.sent(at: now)
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
