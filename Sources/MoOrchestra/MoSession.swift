import MoCore
import MoMu
import MoSessionCore

/// A session: this program's membership of a room, in which all members play in time.
///
/// ```swift
/// try MoSession.join(room: "Lab")
/// try MoAudio.start(Drum(), BeatSteps(.beat)) { drum, steps, block in
///   steps.read(block, of: MoSession.beat)
///   for frame in block.frames {
///     if let step = steps.due(at: frame) { drum.strike(step.position.beat < 0.5 ? 1 : 0.5) }
///     block[frame] = drum.tick()
///   }
/// }
/// ```
///
/// Members that join the same room on the same network find each other. All share one clock, to a fraction of a
/// millisecond. The member that starts the rhythm conducts it until it is stopped. If any machine fails, the beat
/// continues.
///
/// Right after joining, the room's clock is not known yet. Requests about the rhythm, gates and levels of
/// sections then wait until the clock is known. The session carries them out in order, and logs a refusal.
///
/// - Thread: any but the audio callback, unless the comment of a property or function names other threads.
public enum MoSession {
  // MARK: joining and leaving

  /// Joins a room and leaves the previous room.
  ///
  /// After a program was killed, it rejoins its last room under its last name, unless you give another room or name. If
  /// the call throws, the program has left the previous room.
  ///
  /// - Parameters:
  ///   - room: the room's name. If it is nil, the option `--room` gives the name; without this option, it is "MoMu".
  ///   - passkey: the words that lock the room; all members must use the same words. If it is nil, the option
  ///     `--passkey` gives the words; without this option, the room is open. Deriving the key takes 0.3 to 3 s.
  ///   - name: the name that other members see. If it is nil, the option `--name` gives the name; without this
  ///     option, it is the machine's name.
  ///   - release: the program's release, which is shown to members that run another release.
  ///   - isHidden: whether to join without appearing in the list of members.
  ///   - peers: addresses of members, such as `192.168.0.5`, for networks on which discovery fails.
  /// - Throws: `SessionError`; its text says what to do.
  public static func join(
    room: String? = nil, passkey: String? = nil, name: String? = nil, release: String = "1",
    isHidden: Bool = false, peers: [String] = []
  ) throws {
    try SessionServer.shared.join(
      JoinOptions(
        room: room, passkey: passkey, name: name, release: release, isHidden: isHidden, peers: peers))
  }

  /// Leaves the room and says goodbye; `MoApp` calls this function at the program's end.
  public static func leave() { SessionServer.shared.leave() }

  /// All members of the room, including this one, sorted by name; empty before a room was joined.
  public static var members: [SessionMember] {
    SessionServer.shared.read { core, now in core.roster(at: now) } ?? []
  }

  /// Tells the other members the name of your instrument, such as `harp`.
  ///
  /// The name appears next to your name in the list of members (`SessionMember.plays`).
  ///
  /// Only the first 40 characters are used. Before a room is joined, the call does nothing.
  public static func setPlays(_ instrument: String) {
    _ = SessionServer.shared.perform { core, _ in core.setPlays(instrument) }
  }

  /// The names of other rooms nearby, each with the number of members from which messages arrived in about the last ten
  /// seconds.
  public static var otherRooms: [(name: String, members: Int)] {
    SessionServer.shared.read { core, _ in core.otherRooms } ?? []
  }

  /// The name of the room; nil before a room was joined.
  public static var room: String? { SessionServer.shared.read { core, _ in core.settings.room } }

  /// Whether the room is locked, so that its messages are encrypted.
  public static var isLocked: Bool { SessionServer.shared.locking.isLocked }

  /// The conductor's display name; nil if no member conducts.
  public static var conductor: String? { members.first(where: \.isConductor)?.displayName }

  /// Makes this machine ignore the strikes, notes and all other plays of a member; `isIgnored: false` ends this.
  ///
  /// Changes of shared settings still apply.
  ///
  /// The call applies to all programs of the member's installation, also after they restart.
  ///
  /// - Throws: `SessionRefusal.unknownMember`, `unknownName`; `SessionError.notJoined`.
  public static func ignore(_ member: MemberChoice, _ isIgnored: Bool = true) throws {
    try SessionServer.shared.ignore(member, isIgnored)
  }

  // MARK: conducting

  /// Starts the rhythm for all members, conducts it until `stopRhythm`, and ends a silence.
  ///
  /// Right after joining, the rhythm begins as soon as the room's clock is known. For the first member of a room,
  /// this takes at most half a second.
  ///
  /// - Parameters:
  ///   - tempo: the tempo; nil for the tempo of the last rhythm, or for 120 bpm in the first rhythm.
  ///   - meter: the meter; nil for the meter of the last rhythm, or for 4/4 in the first rhythm.
  ///   - bar: the first bar's number, clamped to 1…100,000.
  ///   - countIn: the number of count-in bars, clamped to 0…8.
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `closed`; `SessionError.notJoined`.
  public static func startRhythm(
    tempo: Tempo? = nil, meter: Meter? = nil, bar: Int = 1, countIn: Int = 0
  ) throws {
    var beginning = SessionCore.Beginning()
    (beginning.tempo, beginning.meter, beginning.bar, beginning.countIn) = (
      tempo?.beatsPerMinute, meter, bar, countIn
    )
    try SessionServer.shared.request(isStart: true) { [beginning] core, now throws(SessionRefusal) in
      try core.start(beginning, now: now)
    }
  }

  /// Takes the baton of a rhythm whose conductor has gone; the beat continues.
  ///
  /// - Throws: `SessionRefusal.conducted`, `reserved`, `closed`, `noRhythm`; `SessionError.notJoined`.
  public static func takeBaton() throws {
    try SessionServer.shared.request { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
  }

  /// Stops the rhythm at the next line of a grid, and releases the baton.
  ///
  /// If no member conducts, any member that may conduct can stop the rhythm.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `reserved`, `closed`, `noRhythm`; `SessionError.notJoined`.
  public static func stopRhythm(at grid: BeatGrid = .beat) throws {
    if SessionServer.shared.cancelStart() { return }
    try change { core, now throws(SessionRefusal) in try core.stop(at: grid, now: now) }
  }

  /// Changes the tempo for all members at the next line of a grid, in one step or gradually over a number of beats.
  ///
  /// If no member conducts, the call takes the baton.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `reserved`, `closed`, `noRhythm`; `SessionError.notJoined`.
  public static func setTempo(_ tempo: Tempo, over beats: Beats = 0, at grid: BeatGrid = .beat) throws {
    try change { core, now throws(SessionRefusal) in
      try core.setTempo(tempo.beatsPerMinute, over: beats.count, at: grid, now: now)
    }
  }

  /// Changes the meter for all members from the next bar line on.
  ///
  /// If no member conducts, the call takes the baton.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `reserved`, `closed`, `noRhythm`; `SessionError.notJoined`.
  public static func setMeter(_ meter: Meter) throws {
    try change { core, now throws(SessionRefusal) in try core.setMeter(meter, now: now) }
  }

  /// Hands the baton to another member.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `unknownName`, `unknownMember`, `reserved`, `closed`;
  ///   `SessionError.notJoined`.
  public static func handOver(to member: MemberChoice) throws {
    try perform { core, now throws(SessionRefusal) in
      try core.handOver(to: core.member(member, at: now), now: now)
    }
  }

  /// The part of the room that plays its own rhythm, separate from this member's part; nil for none.
  ///
  /// When two playing parts of a room meet, for example after a split network is repaired, both continue. They play
  /// separately until a member of either part calls `joinOtherPart`.
  public static var otherPart: OtherPart? { SessionServer.shared.read { core, _ in core.partBeside } ?? nil }

  /// Lets all members of this part of the room follow the music of the other part, from a bar line on.
  ///
  /// The conductor may call it; if there is no conductor, every member that may conduct may call it.
  ///
  /// - Throws: `SessionRefusal.noOtherPart`, `conducted`, `away`, `reserved`, `closed`, `otherPartFree`,
  ///   `otherPartRefuses`; `SessionError.notJoined`.
  public static func joinOtherPart() throws {
    try SessionServer.shared.request { core, now throws(SessionRefusal) in try core.joinOtherPart(now: now) }
  }

  /// Lets all members conduct again, in place of the installation that `--conductor-only` names.
  ///
  /// Members of this installation may call it at any time; other members after this installation was away for a minute.
  ///
  /// - Throws: `SessionRefusal.notReserved`, `reserved`; `SessionError.notJoined`.
  public static func liftConductorOnly() throws {
    try SessionServer.shared.request { core, now throws(SessionRefusal) in
      try core.liftConductorOnly(now: now)
    }
  }

  /// Asks the conductor for the baton.
  ///
  /// The conductor's program receives `SessionEvent.askedForBaton`; to agree, it calls `handOver`.
  ///
  /// - Throws: `SessionRefusal.noConductor`, `reserved`, `closed`, `crowded`; `SessionError.notJoined`.
  public static func askForBaton() throws {
    try perform { core, now throws(SessionRefusal) in try core.askForBaton(now: now) }
  }

  /// Lets the room sound again after a call for silence, without starting a rhythm.
  ///
  /// The caller needs the right to conduct: see `setGates`.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `closed`; `SessionError.notJoined`.
  public static func liftSilence() throws {
    try SessionServer.shared.request { core, now throws(SessionRefusal) in try core.liftSilence(now: now) }
  }

  /// Calls for silence (panic): all members fall silent immediately.
  ///
  /// The call for silence lasts until a rhythm starts or `liftSilence` is called. `SessionEvent.panicEnded` names the
  /// members that did not confirm the call for silence. These members fall silent as soon as a message reaches them
  /// again. Every member may call for silence, whatever the gates allow.
  ///
  /// - Throws: `SessionError.notJoined`.
  public static func panic() throws {
    try perform { core, now in core.callForSilence(now: now) }
  }

  // MARK: the beat

  /// The room's beat, which converts between times and beats.
  ///
  /// Read it once for each block of sound, or for each picture that you draw.
  ///
  /// - Thread: any.
  /// - Real-time safe: yes.
  public static var beat: BeatClock { SessionServer.shared.beat.load() }

  /// Calls `callback` for every event of the session.
  ///
  /// To miss no event, add the callback before you join a room.
  ///
  /// The events come in order, on one thread at a time. If a thread makes a request while another thread runs an event
  /// callback, `mo-session` reports the request's events after this callback. Callbacks for plays, such as those of
  /// `onNote`, do not wait for event callbacks, and may run on another thread at the same time.
  ///
  /// - Thread: the callback runs on `mo-session` or on a thread that makes a request.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (SessionEvent) -> Void) -> MoToken {
    SessionServer.shared.events.add(callback)
  }

  /// Changes the rhythm; takes the baton first if no member conducts.
  private static func change(
    _ body: @escaping @Sendable (inout SessionCore, HostTime) throws(SessionRefusal) -> Void
  ) throws {
    try SessionServer.shared.request { core, now throws(SessionRefusal) in
      try core.takeFreeBaton(now: now)
      try body(&core, now)
    }
  }

  private static func perform<Failure: Error>(
    _ body: (inout SessionCore, HostTime) throws(Failure) -> Void
  ) throws {
    guard try SessionServer.shared.perform(body) != nil else { throw SessionError.notJoined }
  }
}
