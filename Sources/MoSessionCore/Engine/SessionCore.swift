import MoCore

/// A member of a session as a state machine: datagrams and times are its input, datagrams and events its output.
///
/// It has no sockets and no clocks. The same code runs over the network, in the virtual orchestra and in tests. Its
/// output does not depend on the order of a dictionary, so a seed reproduces a run.
///
/// Five large and a few small components hold the state. A component changes its own storage only. It sees the other
/// components as values. It asks for changes of other components by effects, which this engine applies in order.
///
/// - Thread: one owner.
/// - Real-time safe: no, except for a copy of `beatClock`.
package struct SessionCore: Sendable {
  package var roster: Roster
  package var clock: ClockSync
  package var agreement: Agreement
  package var delivery = Delivery()
  package var sharing = Sharing()
  package var activity = ActivityReports()
  package var followers = Followers()
  /// The last check before a concert; nil before the first one.
  var healthCheck: HealthCheck?
  /// The observer that is notified of plays and other events, such as a recorder; nil for none.
  package var observer: (any SessionObserver)?

  /// The components' requests that are not yet applied.
  package var out = Effects()
  /// Datagrams that wait to be sent.
  var outgoing: [Outgoing] = []
  var events: [SessionEvent] = []
  var nextSweep: HostTime
  /// The time of the last received datagram, `tick` or jump of the clock.
  var latest: HostTime
  /// The level of this member's sections that was last reported as an event, 0…1.
  private var lastLevel: Float = 1

  /// Creates a member that has just joined.
  package init(_ settings: Settings, now: HostTime) {
    roster = Roster(settings, now: now)
    clock = ClockSync(settings.identity.member)
    agreement = Agreement(reserved: settings.only, now: now)
    (nextSweep, latest) = (now, now)
  }

  /// Removes and returns the datagrams to send, in order.
  package mutating func drainOutgoing() -> [Outgoing] {
    defer { outgoing.removeAll(keepingCapacity: true) }
    return outgoing
  }

  /// Removes and returns the events, in order.
  package mutating func drainEvents() -> [SessionEvent] {
    let level = sectionLevel
    if level != lastLevel { events.append(.level(level)) }
    lastLevel = level
    if events.contains(.started) { agreement.endOwnSilence(&out) }
    drain(at: latest)
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// The time at which `tick` must be called next.
  ///
  /// It is read after every datagram, so its cost does not depend on the number of members.
  package var nextTick: HostTime {
    var next = min(min(nextSweep, roster.next), min(clock.next, agreement.next))
    next = min(next, min(min(delivery.next, sharing.next), min(activity.next, activity.nextBar)))
    return min(next, min(followers.next, healthCheck?.next ?? .distantFuture))
  }

  /// Returns the view of the members and the clock that the other components get.
  package func view(_ now: HostTime) -> RoomView { RoomView(roster: roster, clock: clock, now: now) }

  /// Does the work that is due at `now`.
  package mutating func tick(at now: HostTime) {
    latest = now
    discover(at: now)
    roster.probeHinted(at: now, &out)
    drain(at: now)
    if now >= nextSweep { sweep(at: now) }
    clock.measure(
      agreement.state.version, foreign: agreement.foreign?.version ?? .none, roster, at: now, &out)
    applyPendingChanges(at: now)
    // One view serves several calls, because a view is a copy of the roster and the clock.
    let room = view(now)
    agreement.push(room, &out)
    agreement.repeatCall(room, &out)
    if let id = healthCheck?.popDue(roster.members.keys, at: now), let endpoint = roster.members[id]?.endpoint
    {
      out.send(.askHealth(from: me, to: id), to: endpoint)
    }
    followers.send(beatClock, at: now, &out)
    delivery.send(room, &out)
    delivery.reportLosses(room, &out)
    delivery.releaseHeld(room, &out)
    drain(at: now)
    sendActivity(view(now))
    drain(at: now)
    flushShared(at: now)
  }

  private mutating func sendActivity(_ room: RoomView) {
    activity.send(agreement, room, &out)
    if let plan = activity.planBar(agreement, room) { agreement.announce(plan, room, &out) }
  }

  private mutating func discover(at now: HostTime) {
    if now >= roster.discovery.nextHello, clock.isKeeper {
      clock.beat(agreement.standing(view(now)), at: now)
    }
    let isLeading = clock.isKeeper || agreement.state.conductor == me
    roster.discover(isLeading: isLeading, at: now, &out)
    drain(at: now)
    if clock.base == nil, now >= roster.discovery.foundsAt { clock.foundIfFirst(roster, at: now, &out) }
    drain(at: now)
  }

  /// Does the work that is due four times a second.
  private mutating func sweep(at now: HostTime) {
    nextSweep = now.advanced(bySeconds: 0.25)
    roster.forgetOld(at: now)
    if now >= roster.nextCheck { agreement.startPushes(view(now)) }
    roster.checkMembers(at: now, &out)
    drain(at: now)
    clock.replaceKeeper(roster, at: now, &out)
    clock.reportKeeper(roster, &out)
    drain(at: now)
    clock.chooseMeasured(roster, at: now)
    agreement.checkConductor(view(now), &out)
    agreement.updateAbsence(view(now))
    sharing.maintain(view(now), &out)
    drain(at: now)
    advanceMerge(at: now)
    clock.forgetSkippedParts(at: now)
    agreement.forgetParts(view(now), &out)
    clock.checkLeaders(conductor: agreement.state.conductor, roster, at: now, &out)
    roster.checkUnreachable(at: now, &out)
    drain(at: now)
  }

  /// Handles a sleep of the machine or a jump of its clock: moves all stored times, and drops all clock measurements.
  package mutating func clockStepped(at now: HostTime) {
    let nanoseconds = now.nanoseconds &- latest.nanoseconds
    clock.step(from: latest, to: now, isAlone: roster.members.isEmpty)
    roster.step(by: nanoseconds, to: now)
    agreement.shift(by: nanoseconds, now: now)
    delivery.shift(by: nanoseconds)
    sharing.shift(by: nanoseconds)
    activity.shift(by: nanoseconds)
    followers.shift(by: nanoseconds)
    healthCheck?.shift(by: nanoseconds)
    latest = now
    nextSweep = now
  }
}

extension SessionCore {
  /// The settings with which a member takes part.
  package struct Settings: Sendable {
    /// The room's name; messages of other rooms are dropped.
    package var room: String
    /// The member's identity.
    package var identity: SessionIdentity
    /// Whether the member takes part without being shown.
    package var isHidden = false
    /// Addresses at which members were found before.
    package var remembered: [SessionEndpoint] = []
    /// Addresses, typed by a person, at which members may be.
    package var typed: [SessionEndpoint] = []
    /// The only installation that may conduct; `nobody` for all.
    package var only = MemberID.nobody
    /// Installations whose members are ignored as soon as they are here.
    package var ignored: Set<MemberID> = []
    /// Seconds of listening before the member founds a room; 0 if there can be no other member.
    ///
    /// The default is longer than two multicast intervals of an access point, which are 102 ms each.
    package var listening = 0.5
    /// Seconds between the rendering of sound and its playback; a play with less time until its beat comes too late.
    package internal(set) var soundLead = 0.0
    /// The name under which a directory such as Avahi lists the room; nil if it is the room's own name.
    package var listedRoom: String?
    /// The instrument played here, for others to see; empty for none.
    package internal(set) var plays = ""
    /// The member ID of this program's earlier run, if that run was killed; otherwise `nobody`.
    package var replaced = MemberID.nobody
    /// The part of the sound device's delay that the device does not report (the trim), in nanoseconds.
    package var lag: Int64 = 0
    /// The time at which the member joins, in seconds since 1970, by this machine's calendar clock.
    package var calendar: Int64 = 0
    /// The data about the member's machine that the member reports in a check before a concert.
    package internal(set) var health = MemberHealth(release: MoMuRelease.current)
    /// The secret from which address tokens are computed; no other program knows it.
    package var secret: UInt64 = 0
    /// The signer that signs in this installation's name in a locked room; nil in an open room.
    package var signer: (any SessionSigner)?

    /// Creates settings for a member of a room.
    package init(room: String, identity: SessionIdentity) { (self.room, self.identity) = (room, identity) }
  }
}
