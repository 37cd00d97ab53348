import MoCore
import MoMu
import MoSessionCore

/// Playing in time with all members of a room.
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
/// - Thread: any but the audio callback, except where a member says otherwise.
public enum MoSession {
  // MARK: coming and going

  /// Joins a room, leaving the one before.
  ///
  /// After having been killed a program is back in the room where it was, as who it was, unless it is told otherwise.
  ///
  /// - Parameters:
  ///   - room: its name; nil for what `--room` says, else "MoMu".
  ///   - passkey: what the room is locked with, for all who are in it the same; nil for what `--passkey` says, else the
  ///     room is open. Making its key takes up to a second.
  ///   - name: what others see; nil for what `--name` says, else the machine's name.
  ///   - release: of the program; those who run another see it.
  ///   - isHidden: to take part without being shown.
  ///   - peers: addresses of members, for networks where nobody can be found: `192.168.0.5`.
  /// - Throws: `SessionError`, whose text says what to do.
  public static func join(
    room: String? = nil, passkey: String? = nil, name: String? = nil, release: String = "1",
    isHidden: Bool = false, peers: [String] = []
  ) throws {
    try SessionServer.shared.join(
      JoinOptions(
        room: room, passkey: passkey, name: name, release: release, isHidden: isHidden, peers: peers))
  }

  /// Leaves the room, saying goodbye; `MoApp` does so at the end.
  public static func leave() { SessionServer.shared.leave() }

  /// Everybody in the room, oneself too, by name; empty before a room was joined.
  public static var members: [SessionMember] {
    SessionServer.shared.look { core, now in core.roster(at: now) } ?? []
  }

  /// Tells others what one plays, such as `harp`: it stands beside one's name (`SessionMember.plays`).
  ///
  /// Nothing happens before a room was joined.
  public static func setPlays(_ instrument: String) {
    _ = SessionServer.shared.perform { core, _ in core.setPlays(instrument) }
  }

  /// Other rooms nearby, and how many members were heard in each.
  public static var otherRooms: [(name: String, members: Int)] {
    SessionServer.shared.look { core, _ in core.otherRooms } ?? []
  }

  /// The name of the room; nil before one was joined.
  public static var room: String? { SessionServer.shared.look { core, _ in core.settings.room } }

  /// Whether the room is locked: what is said in it is sealed.
  public static var isLocked: Bool { SessionServer.shared.locking.isLocked }

  /// Who conducts, by the name that is shown; nil where nobody does.
  public static var conductor: String? { members.first(where: \.isConductor)?.displayName }

  /// Hears a member no more, or again: all programs of its installation, also after it has started anew.
  ///
  /// - Throws: `SessionRefusal.unknownMember`, `SessionError.notJoined`.
  public static func ignore(_ member: MemberID, _ isIgnored: Bool = true) throws {
    try SessionServer.shared.ignore(member, isIgnored)
  }

  // MARK: conducting

  /// Starts the rhythm for all members, and conducts it until `stopRhythm`; ends a silence.
  ///
  /// Right after joining, it begins as soon as the room's clock is known: within half a second for the first member.
  ///
  /// - Parameters:
  ///   - tempo: beats per minute, 20…999; nil for the tempo of the last rhythm, or 120.
  ///   - meter: beats per bar; nil for the meter of the last rhythm, or 4/4.
  ///   - bar: the first bar's number, from 1.
  ///   - countIn: bars of count-in, 0…8.
  /// - Throws: `SessionRefusal.conducted`, `reserved`; `SessionError.notJoined`.
  public static func startRhythm(
    tempo: Double? = nil, meter: Meter? = nil, bar: Int = 1, countIn: Int = 0
  ) throws {
    var beginning = SessionCore.Beginning()
    (beginning.tempo, beginning.meter, beginning.bar, beginning.countIn) = (tempo, meter, bar, countIn)
    try SessionServer.shared.start(beginning)
  }

  /// Takes the baton of a rhythm whose conductor has gone; the beat goes on.
  ///
  /// - Throws: `SessionRefusal`, `SessionError.notJoined`.
  public static func takeBaton() throws {
    try wish { core, now throws(SessionRefusal) in try core.takeBaton(now: now) }
  }

  /// Stops the rhythm at the next line of a grid, and releases the baton.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `SessionError.notJoined`.
  public static func stopRhythm(at grid: BeatGrid = .beat) throws {
    try wish { core, now throws(SessionRefusal) in try core.stop(at: grid, now: now) }
  }

  /// Changes the tempo for all members from the next line of a grid on, immediately or over a number of beats.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`; `SessionError.notJoined`.
  public static func setTempo(_ tempo: Double, over beats: Double = 0, at grid: BeatGrid = .beat) throws {
    try wish { core, now throws(SessionRefusal) in
      try core.setTempo(tempo, over: beats, at: grid, now: now)
    }
  }

  /// Changes the meter for all members from the next bar line on.
  ///
  /// - Throws: `SessionRefusal.notConductor`, `noRhythm`; `SessionError.notJoined`.
  public static func setMeter(_ meter: Meter) throws {
    try wish { core, now throws(SessionRefusal) in try core.setMeter(meter, now: now) }
  }

  /// Hands the baton to another member.
  ///
  /// - Throws: `SessionRefusal`, `SessionError.notJoined`.
  public static func handOver(to member: MemberID) throws {
    try wish { core, now throws(SessionRefusal) in try core.handOver(to: member, now: now) }
  }

  /// The part of the room that plays beside this one; nil for none.
  ///
  /// Parts of a room that both play when they meet both go on, also after a network that was cut in two, until
  /// `joinOtherPart` is called in either.
  public static var otherPart: OtherPart? { SessionServer.shared.look { core, _ in core.partBeside } ?? nil }

  /// Lets all members of this part of the room follow the music of the other part, from a bar line on.
  ///
  /// The conductor may, or every member that may conduct if there is no conductor.
  ///
  /// - Throws: `SessionRefusal.noOtherPart`, `conducted`, `away`, `reserved`, `closed`, `otherPartFree`;
  ///   `SessionError.notJoined`.
  public static func joinOtherPart() throws {
    try wish { core, now throws(SessionRefusal) in try core.joinOtherPart(now: now) }
  }

  /// Lets all conduct again although `--conductor-only` names one installation, which has been away for a minute.
  ///
  /// - Throws: `SessionRefusal.notReserved`, `reserved`, `arriving`; `SessionError.notJoined`.
  public static func liftConductorOnly() throws {
    try wish { core, now throws(SessionRefusal) in try core.liftConductorOnly(now: now) }
  }

  /// Asks the conductor for the baton: `SessionEvent.askedForBaton` tells it, and `handOver` answers.
  ///
  /// - Throws: `SessionRefusal.noConductor`, `reserved`, `closed`; `SessionError.notJoined`.
  public static func askForBaton() throws {
    try wish { core, now throws(SessionRefusal) in try core.askForBaton(now: now) }
  }

  /// Lets the room sound again after a call for silence, without a start; a member that may conduct may.
  ///
  /// - Throws: `SessionRefusal.conducted`, `away`, `reserved`, `closed`, `arriving`; `SessionError.notJoined`.
  public static func liftSilence() throws {
    try wish { core, now throws(SessionRefusal) in try core.liftSilence(now: now) }
  }

  /// Silences all members immediately, until a rhythm starts or `liftSilence`.
  ///
  /// An event names the members that did not confirm. They fall silent as soon as they are reached again. Every member
  /// may call it, whatever the gates allow.
  ///
  /// - Throws: `SessionError.notJoined`.
  public static func panic() throws {
    try wish { core, now in core.callForSilence(now: now) }
  }

  // MARK: the beat

  /// The beat, which answers for any time: read it once per block or per picture.
  ///
  /// - Thread: any.
  /// - Real-time safe: yes.
  public static var beat: BeatClock { SessionServer.shared.beat.load() }

  /// Calls `callback` for every event of the session; add it before joining to miss none.
  ///
  /// - Thread: the callback runs on `mo-session`, or on the thread whose request had the effect.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (SessionEvent) -> Void) -> MoToken {
    SessionServer.shared.events.add(callback)
  }

  private static func wish<Failure: Error>(
    _ body: (inout SessionCore, HostTime) throws(Failure) -> Void
  ) throws {
    guard try SessionServer.shared.perform(body) != nil else { throw SessionError.notJoined }
  }
}
