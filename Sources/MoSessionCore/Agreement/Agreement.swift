import MoCore

/// What all members agree on: who conducts, who may, the music's course, and which call for silence holds.
///
/// Any two members apply the same rules to two states, and so come to the same one.
struct Agreement: Sendable {
  /// What holds here.
  var state = SessionState.none
  /// The one installation that may conduct, as this program was started; `nobody` for all.
  var reserved: MemberID
  /// A state of a clock that is not followed here, or not yet.
  var foreign: SessionState?
  /// The part that goes on beside ours, and until when it counts without being heard of again.
  var beside: PartBeside?
  /// When epochs were first heard of that go on beside ours.
  var epochsBeside: [UInt32: HostTime] = [:]
  /// The highest epoch that was ever heard of here: one's own are above it, though the state may have been lost.
  var highestEpoch: UInt32 = 0
  /// The newest version that was written here.
  var written = StateVersion.none
  /// The newest version by which the baton was handed on from here: its holder knows it from us alone.
  var handed = StateVersion.none
  /// When what people changed last in the state was taken in, or written here.
  var stateSince: HostTime
  /// Since when the conductor is not here; nil while it is, and while nobody conducts.
  var conductorLostAt: HostTime?
  private var lastConductor: MemberID?
  /// Since when the installation that alone may conduct is away.
  var reservedAway: Absence?
  /// The call for silence that holds, and this member's own.
  var silence = Silence()

  /// The members that lack the newest state, and when each is sent it.
  var pushes: [MemberID: StatePush] = [:]
  /// No member that lacks the state is sent it before.
  var nextPush = HostTime.distantFuture
  /// Limits how often a member is sent the state that its own did not replace.
  var reminders: [MemberID: RateLimit] = [:]
  /// Limits how often this conductor is asked for the baton.
  var batonQuestions = RateLimit()
  /// Limits how often it is said again what holds.
  var reaffirming = RateLimit()
  /// Limits how often an epoch far ahead is believed in.
  var epochJumps = RateLimit()

  /// Seconds after which two states that were written at once have met.
  static let race = 5.0
  /// Seconds for which a conductor that is gone without a word keeps the baton against others' starts.
  static let grace = 30.0
  /// Seconds after which a person can lift that only an absent installation may conduct.
  static let lapse = 60.0

  init(reserved: MemberID, now: HostTime) { (self.reserved, stateSince) = (reserved, now) }

  /// When something is due.
  var next: HostTime { min(nextPush, silence.next) }

  /// Moves all times as the host clock has stepped.
  mutating func shift(by nanoseconds: Int64, now: HostTime) {
    // What was written before a sleep was not written at the same moment as what others wrote meanwhile.
    stateSince = .distantPast
    reservedAway?.since.shift(by: nanoseconds)
    conductorLostAt?.shift(by: nanoseconds)
    // Members that lack the state are noted anew as they are checked.
    (pushes, nextPush) = ([:], .distantFuture)
    silence.shift(by: nanoseconds)
    beside = nil
    epochsBeside = epochsBeside.mapValues { _ in now.advanced(bySeconds: -1) }
  }

  /// A member is gone.
  mutating func forget(_ id: MemberID, said: Bool) {
    // A conductor that says goodbye does not come back for the baton.
    if said, id == state.conductor { conductorLostAt = .distantPast }
    (pushes[id], reminders[id]) = (nil, nil)
    silence.forget(id, said: said)
  }

  // MARK: who conducts

  /// The member that conducts, if it is here.
  func conductor(_ room: RoomView) -> MemberID? {
    state.conductor.flatMap { room.isHere($0) ? $0 : nil }
  }

  /// Reports if another member conducts than before.
  mutating func checkConductor(_ room: RoomView, _ out: inout Effects) {
    let conductor = conductor(room)
    conductorLostAt = state.conductor == nil || conductor != nil ? nil : conductorLostAt ?? room.now
    guard conductor != lastConductor else { return }
    lastConductor = conductor
    out.event(.conductor(conductor))
    out.add(.conductor)
    out.add(.sweep(by: room.now.advanced(bySeconds: 0.25)))
  }

  // MARK: taking in

  /// Takes in a state that a member has.
  mutating func receive(_ new: SessionState, from id: MemberID, _ room: RoomView, _ out: inout Effects) {
    guard new.lineage == room.clock.base?.lineage else {
      // Kept for when its clock is followed here, too.
      guard new.lineage == room.clock.merge?.base.lineage || room.clock.base == nil else { return }
      if foreign?.lineage != new.lineage || foreign?.relation(of: new) != .older { foreign = new }
      out.add(.sweep(by: room.now))
      return
    }
    guard isPlausible(new.version, from: id, room) else {
      out.counts.unwanted += 1
      // A forger may have left it to honest members, which go on by it: both sides are told.
      if state.version.counter > 0, state.relation(of: new) != .older { noteStateBeside(new, room, &out) }
      return sendState(to: id, most: 1, room, &out)
    }
    let relation = state.relation(of: new)
    guard relation != .older else { return }
    // The installation that alone may conduct comes into a room that plays: it leads that music on.
    let isFound =
      state.version == .none && only == room.installation && room.clock.sync.isArriving(at: room.now)
    guard isFound || isLegitimate(new, from: id, room) else {
      return refuse(new, from: id, isNewer: relation == .newer, room, &out)
    }
    guard relation == .newer || yields(to: new, from: id, room) else {
      noteStateBeside(new, room, &out)
      return sendState(to: id, most: 1, room, &out)
    }
    adopt(new, isNewer: relation == .newer, room, &out)
    // Its rule is to hold for all, also once it has gone.
    if isFound, state.policy.only != only { write(room, &out) { _ in } }
  }

  /// Takes in the state that was kept of a clock, now that it is followed here.
  mutating func followed(_ base: TimeBase, _ room: RoomView, _ out: inout Effects) {
    guard let foreign, foreign.lineage == base.lineage else { return }
    self.foreign = nil
    receive(foreign, from: base.keeper, room, &out)
  }

  /// Leaves what was agreed on by a clock that is not followed any more.
  mutating func leaveClock() {
    state = .none
    silence.keepAlone()
  }

  /// Whether the room can have come to an epoch.
  private mutating func isPlausible(_ version: StateVersion, from id: MemberID, _ room: RoomView) -> Bool {
    // A newcomer believes what others know.
    let heard = room.members.lazy.filter { $0.key != id }.map(\.value.brief.version.counter).max() ?? 0
    let epochs = state.version.counter == 0 ? max(heard, highestEpoch) : highestEpoch
    // Otherwise a stranger could raise it, jump by jump, to the last of all in no time.
    return version.isPlausible(after: epochs)
      && (!version.isFar(after: epochs) || epochJumps.allows(at: room.now, most: 1))
  }

  /// Whether we adopt a state beside ours by ourselves.
  private func yields(to new: SessionState, from id: MemberID, _ room: RoomView) -> Bool {
    var mine = state
    mine.policy.only = only
    // Both writers heard each other if the other has been here since ours was written.
    let writer = room.members[new.version.holder] ?? room.members[id]
    let isAtOnce =
      room.now.seconds(since: stateSince) < Self.race && writer.map { $0.hereSince < stateSince } ?? false
    // A change to a rhythm that went on beside theirs already is no race with theirs.
    return mine.yields(to: new, isRace: isAtOnce && !isKnownBeside(new, at: room.now))
  }

  /// Lets a state hold here.
  mutating func adopt(_ new: SessionState, isNewer: Bool, _ room: RoomView, _ out: inout Effects) {
    highestEpoch = max(highestEpoch, new.version.counter)
    let before = state
    if new.version.epoch != before.version.epoch || new.lastChange != before.lastChange {
      stateSince = room.now
    }
    let isJoin = new.timeline != nil && beside?.state?.timeline?.take == new.timeline?.take
    silence.lift(by: new, isFollowing: isNewer && !isJoin, &out)
    state = new
    reportHandOver(after: before, &out)
    if isNewer, isStart(after: before, room) { out.event(.started) }
    if new.timeline != before.timeline { out.add(.show(new.timeline)) }
    if before.conductor == room.me, only != .nobody, only != room.installation {
      out.event(.refused(only: only))
    }
    checkConductor(room, &out)
    for id in room.members.keys { noteLag(of: id, room) }
  }

  /// Whether the rhythm was started since a state, other than by joining one that ran already.
  private func isStart(after before: SessionState, _ room: RoomView) -> Bool {
    guard let timeline = state.timeline, timeline.last.isPlaying, timeline.take != before.timeline?.take
    else { return false }
    // A newcomer hears of what began long ago.
    let time = room.clock.beatClock.sessionTime(at: room.now)
    let isFresh = timeline.last.start > time.advanced(bySeconds: -Self.race)
    return beside?.state?.timeline?.take != timeline.take && (before.version.counter > 0 || isFresh)
  }

  /// Reports a baton that another member handed on.
  private func reportHandOver(after before: SessionState, _ out: inout Effects) {
    guard let giver = before.conductor, let taker = state.conductor, giver != taker, state.version.isHanded,
      before.version.counter < state.version.counter
    else { return }
    out.event(.handed(from: giver, to: taker))
  }

  /// Rejects a state that its holder may not write, and says what holds.
  private mutating func refuse(
    _ new: SessionState, from id: MemberID, isNewer: Bool, _ room: RoomView, _ out: inout Effects
  ) {
    out.counts.gated += 1
    let isUntold = only == room.installation && state.policy.only != room.installation
    guard isUntold || isNewer && isToReaffirm(room) else {
      if isNewer { passOn(new, room, &out) } else { noteStateBeside(new, room, &out) }
      return sendState(to: id, most: 1, room, &out)
    }
    guard reaffirming.allows(at: room.now, most: 1) else { return }
    highestEpoch = max(highestEpoch, new.version.counter)
    if isUntold {
      write(room, &out) { _ in }
    } else {
      pass(to: state, from: new, room, &out)
    }
  }

  /// Passes a refused state on to a member that may conduct and may not hear the writer, so that it writes a newer one.
  private mutating func passOn(_ refused: SessionState, _ room: RoomView, _ out: inout Effects) {
    // From a member that may conduct it would count as that member's own state.
    guard !permits(room.installation), let message = message(telling: refused, room),
      let authority = room.members.filter({ isAllowed($0.value, room) }).keys.min(),
      let endpoint = room.members[authority]?.endpoint, reaffirming.allows(at: room.now, most: 1)
    else { return }
    out.send(message, to: endpoint)
  }

  // MARK: writing

  /// Writes a new state as its holder, in a new epoch if this member does not conduct.
  mutating func write(
    _ room: RoomView, _ out: inout Effects, _ change: (inout SessionState) -> Void
  ) {
    let (before, mine) = (state.timeline, room.installation)
    // An epoch of one's own that was lost and came back may lack what was written last.
    if state.conductor == room.me, state.version >= written {
      state.version = state.version.revised
    } else {
      state.begin(state.version.next(heldBy: room.me, after: highestEpoch))
      state.isHeld = false
    }
    (state.lineage, state.joins) = (room.clock.base?.lineage ?? room.me, .nobody)
    state.holderInstallation = mine
    if reserved == mine { (state.policy.only, state.policy.lifted) = (mine, .nobody) }
    (state.lastChange, stateSince) = (state.version.revision, room.now)
    change(&state)
    if state.timeline != before { out.add(.show(state.timeline)) }
    wrote(room, &out)
  }

  /// Writes something as a member that may conduct.
  mutating func agree(
    _ room: RoomView, _ out: inout Effects, _ change: (inout SessionState) -> Void
  ) throws(SessionRefusal) {
    try mayConduct(room)
    guard room.clock.isSynced else { throw .arriving }
    write(room, &out, change)
  }

  /// Sends everybody a state that was written here, also members that have not answered for the one before.
  mutating func wrote(_ room: RoomView, _ out: inout Effects) {
    if room.roster.settings.signer != nil {
      state.signature = nil
      state.signature = room.roster.signed(.state(from: room.me, state), to: .nobody)
    }
    if state.version.holder == room.me { written = max(written, state.version) }
    highestEpoch = max(highestEpoch, state.version.counter)
    checkConductor(room, &out)
    pushes = [:]
    for id in room.members.keys { noteLag(of: id, room) }
    push(room, &out)
    out.add(.sweep(by: room.now))
  }

  /// Lets a state hold above another, in an epoch that follows both.
  ///
  /// Its holder stays, unless its policy shuts that one out: what such a holder wrote next would be refused again.
  mutating func pass(
    to held: SessionState, from left: SessionState, _ room: RoomView, _ out: inout Effects
  ) {
    var next = held
    let epochs = max(highestEpoch, left.version.counter)
    next.joins = .nobody
    next.begin(
      held.version.handed(to: held.version.holder, by: room.me, after: epochs),
      after: left == held ? nil : left)
    if !next.policy.permits(next.holderInstallation) { next.isHeld = false }
    handed = next.version
    adopt(next, isNewer: true, room, &out)
    wrote(room, &out)
  }

  /// Announces how much is played in bars to come, if this member still conducts.
  mutating func announce(_ pattern: PatternPlan, _ room: RoomView, _ out: inout Effects) {
    state.pattern = pattern
    state.version = state.version.revised
    wrote(room, &out)
  }
}
