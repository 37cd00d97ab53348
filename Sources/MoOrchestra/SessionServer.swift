import CMoSystem
import Glibc
import MoCore
import MoMu
import MoSessionCore
import Synchronization

/// The server of `MoSession`: the protocol's state machine, its sockets, and the thread between them.
///
/// A lock guards the state machine and is held for microseconds. The audio thread never takes the lock; it reads the
/// latest beat from `beat`.
///
/// - Thread: any; event callbacks run on `mo-session`, or on the thread whose request had the effect.
package final class SessionServer: @unchecked Sendable {
  // Unchecked: `core`, `sockets`, `thread`, `memory`, `slot`, `record`, `waiting` and `recorder`
  // are guarded by `lock`.
  /// The server that `MoSession` uses.
  package static let shared = SessionServer()

  /// The present relation of beats to times, for any thread.
  package let beat = LatestValue(BeatClock(clock: SlewedClock(), timeline: nil))
  /// The level at which all members play their patterns in each bar, as the conductor announces it.
  package let pattern = LatestValue(PatternPlan())
  package let events = CallbackList<SessionEvent>()
  package let heard = CallbackList<SessionHeard>()
  /// The last cue that this member received; nil before the first cue.
  package let cue = Locked<PendingCue?>(nil)

  let lock = MoMutex()
  var core: SessionCore?
  private var door: SecureChannel?
  private var sockets: SessionSockets?
  private var thread: MoThread?
  private var finding: AvahiFinding<PeerCandidate>?
  private var naming: NameFinding?
  private var memory = PeerCache(path: nil)
  private var memoryPath: String?
  let keeper = StateWriter()
  /// The file that records the program's room, so that the program can rejoin the room after it was killed.
  var slot: CrashLock?
  var record: SavedRoom?
  private var clock: any TimeSource = SystemClock()
  private var offline: OfflineSession?
  /// The recorder of the tape; nil while none is recorded.
  var recorder: SessionRecorder?
  private let wake = WakeEvent()
  /// The requests that wait until the room's clock is known.
  var waiting: [WaitingRequest] = []

  package init() {}

  /// The trim of this machine's sound device: the part of its delay that the device does not report, in nanoseconds.
  private var lag: Int64 = 0

  // MARK: joining and leaving

  /// Leaves the previous room, and joins a room.
  package func join(_ wish: JoinOptions, in run: Run = .current) throws(SessionError) {
    leave()
    let program = wish.program ?? DefaultName.program
    let installation = Installation(Run.environment(), isKept: !run.isOffline)
    memoryPath = installation.path
    let passkey = wish.passkey ?? run.options.passkey
    let slot =
      wish.isKept && !run.isOffline ? folder.flatMap { CrashLock.take($0, program: program) } : nil
    var record = SavedRoom(wish, run.options, after: slot?.before)
    if passkey != nil { record.key = nil }
    let isBack = slot?.before != nil && record != SavedRoom(wish, run.options, after: nil)
    let isRelocked = record.key != nil
    memory = installation.memory
    var settings = try SessionCore.Settings(wish, record, program: program, memory, run)
    if !run.isOffline, wish.isKept { tell(installation, run) }
    let now = run.clock.now
    guard !run.isOffline else { return joinOffline(settings, run) }
    let door: SecureChannel
    do {
      if let passkey { record.key = try RoomKey(passkey: passkey, room: settings.room) }
      door = try SecureChannel(room: settings.room, key: record.key)
    } catch {
      throw .notLocked(error)
    }
    if let warning = passkey.flatMap(Passkey.warning) { MoLog.log(.warning, warning) }
    let sockets = try SessionSockets()
    if slot?.before?.room == record.room { settings.replaced = slot?.before?.member ?? .nobody }
    record.member = settings.identity.member
    slot?.write(record)
    if door.isLocked { settings.signer = installation.key.map { InstallationSigner(key: $0) } }
    let identity = settings.identity
    let listed = door.record(
      ServiceRecord(member: identity.member, room: settings.room, name: identity.name))
    settings.listedRoom = listed.room
    settings.lag = Int64((record.trim ?? run.options.trim) * 1e6)
    lock.withLock { [record, settings] in
      (self.slot, self.record, hasToldForged) = (slot, record, false)
      clock = run.clock
      (self.sockets, self.door) = (sockets, door)
      core = SessionCore(settings, now: now)
      core?.isRecorded = recorder != nil
      lag = settings.lag
      latencyNoted = .distantPast
      health = HealthWatch(trim: record.trim ?? (run.options.trim != 0 ? run.options.trim : nil))
    }
    do throws(MoThread.Failure) {
      let made = try MoThread(name: "mo-session") { [self] body in
        SessionLoop(server: self, sockets: sockets, clock: run.clock, wake: wake).run(body)
      }
      lock.withLock { thread = made }
    } catch {
      lock.withLock { (core, self.door, self.sockets, self.slot, self.record) = (nil, nil, nil, nil, nil) }
      throw .thread(error.description)
    }
    if isBack {
      run.notice(
        "Back in room \(record.room)\(isRelocked ? ", locked as it was," : "") as \(settings.identity.name): "
          + "the program was killed there. For another room: --room NAME.")
    }
    askAvahi(listed, port: sockets.port, isHidden: settings.isHidden, run.clock)
    lookUp(record.peers, beside: settings.typed)
    run.atEnd { [weak self] in self?.leave(atEnd: true) }
  }

  /// Shows the notices about this installation, and a notice with the reason if the installation's identity cannot be
  /// saved.
  ///
  /// Without a saved identity, the next start has another ID, so `--conductor-only` with the present ID no longer names
  /// this installation.
  private func tell(_ installation: Installation, _ run: Run) {
    for notice in installation.notices { run.notice(notice) }
    guard let flaw = installation.flaw else { return }
    run.notice(
      "this installation's identity cannot be saved (\(flaw)): the next start has another identity, and a killed program "
        + "does not find its room again; set XDG_STATE_HOME to a folder that you can write to")
  }

  /// Starts the search for members by Avahi, besides multicast and saved addresses; if no thread can be started, there
  /// is no such search.
  private func askAvahi(_ record: ServiceRecord, port: UInt16, isHidden: Bool, _ clock: any TimeSource) {
    let made = try? AvahiFinding(record, port: port, isHidden: isHidden, server: self, clock: clock)
    lock.withLock { finding = made }
  }

  /// Starts the search for members on the machines whose names the user typed; if no thread can be started, there is no
  /// such search.
  private func lookUp(_ peers: [String], beside known: [SessionEndpoint]) {
    let names = peers.compactMap { peer in
      if case .name(let name, let port)? = try? PeerPlace(peer) { (name, port) } else { nil }
    }
    guard !names.isEmpty else { return }
    let made = try? NameFinding(names, beside: known, server: self)
    lock.withLock { naming = made }
  }

  /// The reason why Avahi does not help to find members; nil while Avahi helps, or while its state is not known.
  package var avahiTrouble: AvahiTrouble? { lock.withLock { finding }?.trouble }

  /// The text that says that this machine is on no network, with the remedy; nil on a network, and before a room was
  /// joined.
  package var networkTrouble: String? {
    lock.withLock { sockets }?.hasNetwork == false
      ? "this machine has no network address: only programs on this machine are found; "
        + "connect it by Wi-Fi or cable"
      : nil
  }

  /// The probable reason why no members are found, with the remedy; nil if no reason is known.
  ///
  /// The reason is that the machine is on no network or, if it is on a network, that Avahi does not work.
  package var trouble: String? { networkTrouble ?? avahiTrouble.map { "\($0)" } }

  /// The folder that records which programs are in which rooms.
  private var folder: String? { memoryPath.map { "\($0)-rooms" } }

  /// Joins in an offline render: there are no other members, and time is counted in frames.
  private func joinOffline(_ settings: SessionCore.Settings, _ run: Run) {
    var settings = settings
    settings.listening = 0
    let input = OfflineSession(server: self)
    lock.withLock {
      clock = run.clock
      core = SessionCore(settings, now: run.clock.now)
      core?.isRecorded = recorder != nil
      lag = 0
      offline = input
    }
    try? run.input.add(input) { _ in }
  }

  /// Leaves with a goodbye to all members; callbacks stay for the next room.
  ///
  /// - Parameter isEnd: true if the program ends; sound that a call for silence has muted then stays muted.
  package func leave(atEnd isEnd: Bool = false) {
    let (thread, finding, offline, slot, run) = lock.withLock {
      () -> (MoThread?, AvahiFinding<PeerCandidate>?, OfflineSession?, CrashLock?, Run) in
      naming?.stop()
      naming = nil
      if var core, let sockets {
        core.leave(now: clock.now)
        let farewell = core.drainOutgoing()
        sockets.send(door?.out(farewell) ?? farewell)
      }
      keepTape()
      defer {
        (self.slot, record) = (nil, nil)
        (self.thread, self.finding, self.offline, waiting) = (nil, nil, nil, [])
        (core, door, sockets) = (nil, nil, nil)
      }
      return (self.thread, self.finding, self.offline, self.slot, .current)
    }
    finding?.stop()
    thread?.cancel()
    wake.raise()
    thread?.join()
    keeper.settle()
    slot?.clear()
    if let offline { run.input.remove(offline) }
    care.end(isSilent: isEnd)
    beat.store(BeatClock(clock: SlewedClock(), timeline: nil))
  }

  // MARK: requests

  /// Changes the protocol's state, sends the resulting datagrams, and calls the callbacks; returns nil if no room is
  /// joined.
  package func perform<Result, Failure: Error>(
    _ body: (inout SessionCore, HostTime) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    lock.acquire()
    guard core != nil else {
      lock.release()
      return nil
    }
    let before = core?.nextTick
    let result: Result
    do throws(Failure) {
      result = try body(&core!, clock.now)
    } catch {
      lock.release()
      throw error
    }
    let happened = publish()
    let isSooner = core!.nextTick < before ?? .distantPast
    lock.release()
    if isSooner { wake.raise() }
    tell(happened)
    return result
  }

  /// Returns a value that `body` computes from the protocol's state; nil if no room is joined.
  package func look<Result>(_ body: (SessionCore, HostTime) -> Result) -> Result? {
    // In place, since `map` copies the whole state.
    lock.withLock { core == nil ? nil : body(core!, clock.now) }
  }

  // MARK: the loop's work

  /// Lets the protocol do the work that is due; returns the time at which to call this function next.
  func tick() -> HostTime {
    let (next, happened, refusals) = lock.withLock {
      () -> (HostTime, SessionCallbackEvent, [SessionRefusal]) in
      guard core != nil else { return (.distantFuture, SessionCallbackEvent(), []) }
      let now = clock.now
      noteLatency(at: now)
      if let due = core?.nextTick, due <= now { core?.tick(at: now) }
      let refusals = doWaiting(at: now)
      let happened = publish()
      return (core?.nextTick ?? .distantFuture, happened, refusals)
    }
    // Without the lock, since a log handler can do anything.
    for refusal in refusals { MoLog.log(.notice, refusal.description) }
    tell(happened)
    return next
  }

  /// Handles a received datagram.
  func receive(_ datagram: [UInt8], from endpoint: SessionEndpoint, stamp: HostTime?) {
    let (happened, opened) = lock.withLock { () -> (SessionCallbackEvent, SecureChannel.Opened) in
      let now = clock.now
      guard core != nil, let opened = door?.take(datagram, from: endpoint, at: now) else {
        return (SessionCallbackEvent(), SecureChannel.Opened())
      }
      sockets?.send(opened.replies)
      guard let datagram = opened.datagram else { return (SessionCallbackEvent(), opened) }
      // A step of the wall clock made the stamp invalid if it is in the future or long past.
      let arrival = stamp.map { $0 <= now && now.seconds(since: $0) < 1 ? $0 : now } ?? now
      core?.receive(datagram, from: endpoint, at: arrival, now: now)
      let isForged = !hasToldForged && core!.counts.forged > 0
      hasToldForged = hasToldForged || isForged
      var happened = publish()
      happened.isForged = isForged
      return (happened, opened)
    }
    if happened.isForged { MoLog.log(.warning, Self.forgeryNotice) }
    tell(happened)
    if let complaint = opened.complaint { MoLog.log(.warning, "\(complaint)") }
    if opened.wantsNumber { compareNumbers() }
  }

  private static let forgeryNotice =
    "a program in this locked room claims another installation's identity: such messages are dropped; it has the "
    + "passkey, so choose another passkey (momu session key)"

  /// Finds out whether a locked room nearby has the same name as this open room; if so, logs a warning.
  ///
  /// The function compares numbers that are derived from the names. The derivation takes a while, so it runs on a
  /// thread of its own.
  private func compareNumbers() {
    guard let room = look({ core, _ in core.settings.room }) else { return }
    _ = try? MoThread(name: "mo-door") { [weak self] _ in
      guard let number = try? RoomKey.number(ofRoom: room), let self else { return }
      let complaint = lock.withLock { core?.settings.room == room ? door?.know(number) : nil }
      if let complaint { MoLog.log(.warning, "\(complaint)") }
    }
  }

  /// Whether the room is locked, the counts of rejected datagrams (nil in an open room), and the number of other locked
  /// rooms nearby.
  package var locking: (isLocked: Bool, counts: SealedCounts?, otherRooms: Int) {
    lock.withLock { (door?.isLocked ?? false, door?.counts, door?.lockedRooms ?? 0) }
  }

  /// Hands new entries to the tape; call it with the lock held.
  func keepTape() {
    guard let recorder, let entries = core?.takeTape(at: clock.now), !entries.isEmpty else { return }
    recorder.add(entries)
  }

  /// Sends pending datagrams, and publishes the new beat; returns the events, which the caller reports after it has
  /// released the lock.
  private func publish() -> SessionCallbackEvent {
    guard core != nil else { return SessionCallbackEvent() }
    let outgoing = core!.drainOutgoing()
    if !outgoing.isEmpty { sockets?.send(door?.out(outgoing) ?? outgoing) }
    var shown = core!.beatClock
    shown.lag = lag
    if shown != lastShown {
      lastShown = shown
      beat.store(shown)
    }
    if core!.state.pattern != shownPattern {
      shownPattern = core!.state.pattern
      pattern.store(shownPattern)
    }
    keepTape()
    return SessionCallbackEvent(events: core!.drainEvents(), heard: core!.drainHeard())
  }

  private var lastShown: BeatClock?
  /// Whether the log has reported that a program claims another installation's identity.
  private var hasToldForged = false
  private var shownPattern = PatternPlan()
  private let care = SessionSideEffects()

  /// Informs the protocol, once a second, of the time by which sound is computed in advance, and of this machine's
  /// health.
  ///
  /// An event arrives too late to be played here if it is due before the sound that is computed next.
  private func noteLatency(at now: HostTime) {
    guard latencyNoted == .distantPast || now.seconds(since: latencyNoted) > 1 else { return }
    latencyNoted = now
    core?.setSoundLead(MoAudio.soundLead)
    core?.setHealth(health.look(at: now, link: sockets?.kind ?? .unknown))
  }

  private var latencyNoted = HostTime.zero
  private var health = HealthWatch()

  private func tell(_ happened: SessionCallbackEvent) {
    for event in happened.events {
      switch event {
      case .joined(let id): remember(id)
      case .undelivered(let loss): MoLog.log(.notice, "\(loss)")
      case .shared(let shared):
        if let text = look({ core, now in shared.text(core, at: now) }) { MoLog.log(.warning, text) }
      case .panicEnded(let members) where !members.isEmpty:
        MoLog.log(.warning, UnconfirmedMember.line(members))
      case .outOfReach(let count): MoLog.log(.notice, Self.outOfReach(count))
      default: break
      }
      care.take(event, beat.load())
      events.call(event)
    }
    for play in happened.heard {
      if let new = PendingCue(play, on: beat.load()) { cue.withLock { $0 = new } }
      heard.call(play)
    }
  }

  /// Returns the notice about members that other members reach but this machine does not.
  static func outOfReach(_ count: Int) -> String {
    let (them, they, receive) =
      count == 1 ? ("it", "it is", "receives") : ("them", "they are", "receive")
    return
      "this machine cannot reach \(counted(count, "member")) of the room that other members reach: \(they) in the same "
      + "rhythm, but \(receive) nothing that you play; if \(they) on IPv6 and this machine on IPv4, or the reverse, give "
      + "\(them) or this machine both (momu doctor)"
  }

  /// Saves a member's address, so that a later start finds the member on a network without multicast.
  ///
  /// The address is written to the disk on another thread.
  private func remember(_ id: MemberID) {
    lock.withLock {
      let member = core?.roster(at: clock.now).first { $0.identity.member == id }
      guard let endpoint = member?.endpoint, let room = core?.settings.room, let memoryPath, sockets != nil
      else { return }
      if memory.note(endpoint, in: room) { keeper.keep(memory, at: memoryPath) }
    }
  }
}
