import MoCore

/// A member of a session as a state machine: datagrams and moments go in, datagrams and events come out.
///
/// It has no sockets and no clocks. The same code runs over the network, in the virtual orchestra and in tests. What it
/// sends does not depend on the order of a dictionary, so that a seed gives the same run again.
///
/// Three things are agreed on, each by a rule that any two members apply alike:
/// - whose clock is gone by (`TimeBase`): the founder's; if that is lost, the first in line carries on;
/// - who conducts (`StateVersion`): who took the baton last; everybody while nobody holds it;
/// - the music's course (`SessionState`): what the conductor wrote last.
///
/// - Thread: one owner.
/// - Real-time safe: no, but for a copy of `beatClock`.
package struct SessionCore: Sendable {
  /// How a member takes part.
  package struct Settings: Sendable {
    /// The room's name; members of other rooms are not heard.
    package var room: String
    /// Who it is.
    package var identity: SessionIdentity
    /// Whether it takes part without being shown.
    package var isHidden = false
    /// Where members were found before.
    package var remembered: [SessionEndpoint] = []
    /// Where somebody said that members are.
    package var typed: [SessionEndpoint] = []
    /// The one installation that may conduct; `nobody` for all.
    package var only = MemberID.nobody
    /// Installations whose members are not heard, as soon as they are here.
    package var ignored: Set<MemberID> = []
    /// Seconds it listens before founding a room of its own: past a multicast grid of 102 ms, twice.
    ///
    /// 0 where there can be nobody else.
    package var listening = 0.5
    /// Seconds of sound that are made ahead of being heard: what is due sooner comes too late.
    package internal(set) var soundLead = 0.0
    /// The room as directories name it; nil for by its name.
    package var listedRoom: String?
    /// What is played here, for others to see; empty for nothing.
    package internal(set) var plays = ""
    /// This program's member before the program was killed; `nobody` if it was not.
    package var replaced = MemberID.nobody
    /// By how many nanoseconds this device sounds later than it believes.
    package var lag: Int64 = 0
    /// Seconds since 1970, by this machine's calendar.
    package var calendar: Int64 = 0
    /// What it says of its machine when it is asked before a concert.
    package internal(set) var health = MemberHealth(release: MoMuRelease.current)
    /// What the numbers are made of that addresses have to return; known to nobody else.
    package var secret: UInt64 = 0
    /// Signs in this installation's name, in a locked room; nil in an open one.
    package var signer: (any SessionSigner)?

    /// Settings for a member of a room.
    package init(room: String, identity: SessionIdentity) { (self.room, self.identity) = (room, identity) }
  }

  /// How it takes part.
  package internal(set) var settings: Settings
  /// The beat, as it is to be shown and played now.
  package internal(set) var beatClock = BeatClock(clock: SlewedClock(), timeline: nil)
  /// What everybody agrees on, as far as is known here.
  package internal(set) var state = SessionState.none
  /// Whose clock is gone by; nil before a room has been found or founded.
  package internal(set) var base: TimeBase?
  /// What came, and what became of it.
  package internal(set) var counts = SessionCounts()

  /// Whether the room's clock is known, and all that others here know of the music.
  package var hasArrived: Bool {
    isSynced
      && members.values.allSatisfy {
        $0.brief.base?.lineage != base?.lineage || $0.brief.version <= state.version
          || $0.brief.version == beside?.state?.version
      }
  }

  var me: MemberID { settings.identity.member }

  // What is to be taken out.
  var outgoing: [Outgoing] = []
  var events: [SessionEvent] = []

  // Members.
  var members: [MemberID: Member] = [:]
  var measured: [MemberID: Measurement] = [:]
  var names: NameBook
  /// Members on different machines that have one installation.
  package internal(set) var sharedInstallations: [SharedInstallation] = []
  /// Limits how often that is told, since in an open room anybody can say what installation it is.
  var sharingNotices = RateLimit()
  var rooms = RoomList()
  /// Whether other rooms are looked for, too.
  var listsRooms = false
  var discovery: Discovery
  var hints = HintBook()
  /// Members that others tell of and that are not heard here.
  var absentees = Absentees()
  var knocks = RateLimit()
  var path: ReturnPath
  /// Limits the signatures that are checked.
  var verifications = VerificationLimit()
  /// Limits the hellos that are sent for proofs.
  var welcomes = RateLimit()
  /// The member of whom others are told next.
  var nextTold = MemberID.nobody

  /// When any member was heard last; nil before, and after all have said goodbye.
  var lastContact: HostTime?

  // Clock.
  var sync = SyncProgress()
  var keeperLostAt: HostTime?
  var pulses = KeeperPulses()
  var foundings: UInt64 = 0
  var merge: Merge?
  /// Parts that were to be joined and were not ready: they are passed over until then.
  var passedOver: [MemberID: HostTime] = [:]
  /// The part that goes on beside ours, and until when it counts without being heard of again.
  var beside: PartBeside?
  /// When epochs were first heard of that go on beside ours.
  var epochsBeside: [UInt32: HostTime] = [:]

  // State.
  var lastConductor: MemberID?
  /// How loud one's own sections were last.
  var lastLevel: Float = 1
  var watchOfSections = SectionWatch()
  /// The highest epoch that was ever heard of here: one's own are above it, though the state may have been lost.
  var highestEpoch: UInt32 = 0
  /// The newest version that was written here.
  var written = StateVersion.none
  /// The newest version by which the baton was handed on from here: its holder knows it from us alone.
  var handed = StateVersion.none
  var lagging: Set<MemberID> = []
  /// When what people changed last in the state was taken in, or written here.
  var stateSince: HostTime
  /// Since when the conductor is not here; nil while it is, and while nobody conducts.
  var conductorLostAt: HostTime?
  /// Since when the one that alone may conduct is away.
  var onlyAway: Absence?
  /// Keeps within bounds how often this conductor is asked for the baton.
  var batonQuestions = RateLimit()
  /// Keeps within bounds how often it is said again what holds.
  var reaffirming = RateLimit()
  /// Keeps within bounds how often an epoch far ahead is believed in.
  var epochJumps = RateLimit()
  /// No member that lacks the state is told it before.
  var nextPush = HostTime.distantFuture
  /// A state of a lineage that is not ours, or not yet.
  var foreign: SessionState?
  /// A course to be shown from the next bar line on.
  var upcoming: (timeline: Timeline?, at: HostTime)?

  var play = PlayDelivery()
  var activity = ActivityReports()
  var sharing = Sharing()
  /// Is told what happens; nil without a recorder.
  package var observer: (any SessionObserver)?
  var silence = Silence()
  /// The last check before a concert; nil before one was begun.
  var checkup: Checkup?
  var otherVersions = ForeignMembers()
  var followers = Followers()
  var nextSweep: HostTime
  var watch = RosterWatch()
  /// When anything was last done.
  var latest: HostTime

  /// A member that has just come.
  package init(_ settings: Settings, now: HostTime) {
    self.settings = settings
    path = ReturnPath(secret: settings.secret)
    names = NameBook(now: now)
    discovery = Discovery(
      now: now, listening: settings.listening, remembered: settings.remembered, typed: settings.typed)
    (nextSweep, latest, stateSince) = (now, now, now)
    self.settings.identity.started = settings.calendar
    if !settings.isHidden { names.note(self.settings.identity, among: [], at: now) }
  }

  /// Takes out what is to be sent, in order.
  package mutating func takeOutgoing() -> [Outgoing] {
    defer { outgoing.removeAll(keepingCapacity: true) }
    return outgoing
  }

  /// Takes out what has happened, in order.
  package mutating func takeEvents() -> [SessionEvent] {
    lookForLevel()
    lookForSilence()
    defer { events.removeAll(keepingCapacity: true) }
    return events
  }

  /// When `tick` is wanted next.
  ///
  /// It is asked for after every datagram, so it costs the same however many members there are.
  package var nextTick: HostTime {
    var next = min(min(nextSweep, nextPush), min(discovery.next, hints.next))
    next = min(next, min(play.next, min(activity.next, min(activity.nextBar, sharing.nextFlush))))
    for place in measured.indices { next = min(next, measured.values[place].nextPing) }
    next = min(next, min(followers.next, min(silence.next, checkup?.next ?? .distantFuture)))
    if let upcoming { next = min(next, upcoming.at) }
    if let at = sync.correctAt { next = min(next, at) }
    if let at = merge?.at { next = min(next, at) }
    return next
  }

  /// Does what is due at `now`.
  package mutating func tick(at now: HostTime) {
    latest = now
    discover(at: now)
    callHinted(at: now)
    if now >= nextSweep { sweep(at: now) }
    measure(at: now)
    applySeams(at: now)
    pushState(at: now)
    callForSilence(at: now)
    askHealth(at: now)
    tellFollowers(at: now)
    tellPlayers(at: now)
    tellLosses(at: now)
    hearHeld(at: now)
    tellActivity(at: now)
    announcePattern(at: now)
    flushShared(at: now)
  }

  mutating func send(_ message: SessionMessage, to endpoint: SessionEndpoint) {
    outgoing.append(Outgoing(destination: .one(endpoint), datagram: message.encoded()))
  }

  /// Sends to all who hear it, by IPv4 and IPv6.
  mutating func call(_ message: SessionMessage) {
    let datagram = message.encoded()
    outgoing.append(Outgoing(destination: .multicast, datagram: datagram))
    outgoing.append(Outgoing(destination: .multicastIPv6, datagram: datagram))
  }

  var brief: Brief {
    Brief(
      version: state.version, base: base, pulse: pulses.number(of: base),
      standing: pulses.standing(of: base) ?? PartStanding(), stratum: stratum)
  }
}

/// What came in, and what became of it.
public struct SessionCounts: Hashable, Sendable {
  /// Datagrams that came.
  public var received = 0
  /// Those that are no message of the protocol, or a broken one.
  public var malformed = 0
  /// Those of another version of the protocol.
  public var otherVersion = 0
  /// Those of strangers, of members that are ignored, and answers nobody asked for.
  public var unwanted = 0
  /// Those that bore another's signature, a false one, or none where one is needed.
  public var forged = 0
  /// Those whose signature was not looked at, since too many came.
  public var unverified = 0
  /// What was played for us and came after its beat.
  public var late = 0
  /// What was kept out by a gate.
  public var gated = 0
  /// What others played although their section is muted, or the room silent.
  public var silenced = 0
  /// What was played here and not sent, since our section is muted, or the room silent.
  public var withheld = 0
  /// What we played that was given up, or had no room in a line.
  public var undelivered = 0
}
