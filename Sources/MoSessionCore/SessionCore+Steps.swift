import MoCore

extension SessionCore {
  /// The machine has slept or its clock has stepped: what is known of the clocks means nothing any more.
  ///
  /// The beat goes on from where it was shown last, until the keeper has been asked again. A keeper gives up its place,
  /// since its clock has moved for everybody.
  package mutating func clockStepped(at now: HostTime) {
    if beatClock.clock.hasStarted { anchor(beatClock.clock.other(at: latest), at: now) }
    shift(by: now.nanoseconds &- latest.nanoseconds)
    latest = now
    for id in Array(measured.keys) {
      measured[id]?.forget()
      measured[id]?.nextPing = now
    }
    (merge, beside, passedOver) = (nil, nil, [:])
    epochsBeside = epochsBeside.mapValues { _ in now.advanced(bySeconds: -1) }
    sync = SyncProgress()
    if isKeeper, let base {
      if members.isEmpty {
        sync.keep()
      } else {
        self.base = TimeBase(lineage: base.lineage, founded: base.founded, term: base.term, keeper: .nobody)
      }
    }
    discovery.nextHello = now
    nextSweep = now
  }

  /// Moves all that is noted by the own clock.
  private mutating func shift(by nanoseconds: Int64) {
    for index in members.indices { members.values[index].shift(by: nanoseconds) }
    // What was written before a sleep was not written at the same moment as what others wrote meanwhile.
    stateSince = .distantPast
    onlyAway?.since.shift(by: nanoseconds)
    lastContact?.shift(by: nanoseconds)
    conductorLostAt?.shift(by: nanoseconds)
    hints.shift(by: nanoseconds)
    names.shift(by: nanoseconds)
    absentees.shift(by: nanoseconds)
    // Who lacks the state is noted anew as the roster is looked through.
    lagging.removeAll()
    (nextPush, watch) = (.distantFuture, RosterWatch())
    followers.shift(by: nanoseconds)
    discovery.shift(by: nanoseconds)
    pulses.shift(by: nanoseconds)
    rooms.shift(by: nanoseconds)
    keeperLostAt?.shift(by: nanoseconds)
    upcoming?.at.shift(by: nanoseconds)
    silence.shift(by: nanoseconds)
    checkup?.shift(by: nanoseconds)
    otherVersions.shift(by: nanoseconds)
    play.shift(by: nanoseconds)
    activity.shift(by: nanoseconds)
    sharing.shift(by: nanoseconds)
    watchOfSections.shift(by: nanoseconds)
  }
}

extension Discovery {
  mutating func shift(by nanoseconds: Int64) {
    start.shift(by: nanoseconds)
    nextHello.shift(by: nanoseconds)
    nextBroadcast.shift(by: nanoseconds)
    nextKnock.shift(by: nanoseconds)
  }
}

extension RoomList {
  mutating func shift(by nanoseconds: Int64) {
    rooms = rooms.mapValues { $0.mapValues { $0.shifted(by: nanoseconds) } }
  }
}
