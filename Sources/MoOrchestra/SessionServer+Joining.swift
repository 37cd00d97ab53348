import MoCore
import MoMu
import MoSessionCore

/// Functions that join and leave rooms, and that search for the members of a room.
extension SessionServer {
  /// Leaves the previous room, and joins a room.
  package func join(_ joinOptions: JoinOptions, in run: Run = .current) throws(SessionError) {
    leave()
    let program = joinOptions.program ?? DefaultName.program
    let installation = Installation(Run.environment(), isKept: !run.isOffline)
    memoryPath = installation.path
    let passkey = joinOptions.passkey ?? run.options.passkey
    let slot =
      joinOptions.isKept && !run.isOffline ? folder.flatMap { CrashLock.acquire($0, program: program) } : nil
    var record = SavedRoom(joinOptions, run.options, after: slot?.before)
    if passkey != nil { record.key = nil }
    let isBack = slot?.before != nil && record != SavedRoom(joinOptions, run.options, after: nil)
    let isRelocked = record.key != nil
    memory = installation.memory
    var settings = try SessionCore.Settings(joinOptions, record, program: program, memory, run)
    if !run.isOffline, joinOptions.isKept { report(installation, run) }
    let now = run.clock.now
    guard !run.isOffline else { return joinOffline(settings, run) }
    let channel: SecureChannel
    do {
      if let passkey { record.key = try RoomKey(passkey: passkey, room: settings.room) }
      channel = try SecureChannel(room: settings.room, key: record.key)
    } catch {
      throw .notLocked(error)
    }
    if let warning = passkey.flatMap(Passkey.warning) { MoLog.log(.warning, warning) }
    let sockets = try SessionSockets()
    if slot?.before?.room == record.room { settings.replaced = slot?.before?.member ?? .nobody }
    record.member = settings.identity.member
    slot?.write(record)
    if channel.isLocked { settings.signer = installation.key.map { InstallationSigner(key: $0) } }
    let identity = settings.identity
    let listed = channel.record(
      ServiceRecord(member: identity.member, room: settings.room, name: identity.name))
    settings.listedRoom = listed.room
    settings.lag = Int64((record.trim ?? run.options.trim) * 1e6)
    lock.withLock { [record, settings] in
      (self.slot, self.record, hasReportedForged) = (slot, record, false)
      clock = run.clock
      (self.sockets, self.channel) = (sockets, channel)
      core = SessionCore(settings, now: now)
      core?.isRecorded = recorder != nil
      lag = settings.lag
      latencyUpdated = .distantPast
      health = HealthWatch(trim: record.trim ?? (run.options.trim != 0 ? run.options.trim : nil))
    }
    do throws(MoThread.Failure) {
      let made = try MoThread(name: "mo-session") { [self] body in
        SessionLoop(server: self, sockets: sockets, clock: run.clock, wake: wake).run(body)
      }
      lock.withLock { thread = made }
    } catch {
      lock.withLock { (core, self.channel, self.sockets, self.slot, self.record) = (nil, nil, nil, nil, nil) }
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
  private func report(_ installation: Installation, _ run: Run) {
    for notice in installation.notices { run.notice(notice) }
    guard let problem = installation.problem else { return }
    run.notice(
      "this installation's identity cannot be saved (\(problem)): the next start has another identity, and a killed program "
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
  package var avahiProblem: AvahiProblem? { lock.withLock { finding }?.problem }

  /// The text that says that this machine is on no network, with the remedy; nil on a network, and before a room was
  /// joined.
  package var networkProblem: String? {
    lock.withLock { sockets }?.hasNetwork == false
      ? "this machine has no network address: only programs on this machine are found; "
        + "connect it by Wi-Fi or cable"
      : nil
  }

  /// The probable reason why no members are found, with the remedy; nil if no reason is known.
  ///
  /// The reason is that the machine is on no network or, if it is on a network, that Avahi does not work.
  package var problem: String? { networkProblem ?? avahiProblem.map { "\($0)" } }

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
        sockets.send(channel?.out(farewell) ?? farewell)
      }
      keepTape()
      defer {
        (self.slot, record) = (nil, nil)
        (self.thread, self.finding, self.offline, waiting) = (nil, nil, nil, [])
        (core, channel, sockets) = (nil, nil, nil)
        // A callback must not get this room's events in the next room.
        eventQueue.removeAll()
        playQueue.removeAll()
      }
      return (self.thread, self.finding, self.offline, self.slot, .current)
    }
    finding?.stop()
    thread?.cancel()
    wake.raise()
    thread?.join()
    stateWriter.waitUntilSaved()
    slot?.clear()
    if let offline { run.input.remove(offline) }
    sideEffects.end(isSilent: isEnd)
    cue.withLock { $0 = nil }
    beat.store(BeatClock(clock: SlewedClock(), timeline: nil))
  }
}
