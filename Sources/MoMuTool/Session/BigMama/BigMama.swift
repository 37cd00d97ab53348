import MoCore
import MoOrchestra

/// The machine that makes all the sound: a band that plays along, and an instrument for each moving member.
///
/// The session's thread only queues events from the room, and the thread `mo-input` plays them. If the session's thread
/// gave members their instruments itself, it would answer pings too late.
///
/// - Thread: `listen` and `move` from any; the rest from `mo-input`.
final class BigMama: EventTimer, @unchecked Sendable {
  // Unchecked: `players` and `nextCheck` belong to the servicing thread; the rest is guarded.
  let name = "Big Mama"

  /// The received events that wait to be played.
  private struct Inbox: Sendable {
    var gestures: [MemberID: SessionGesture] = [:]
    var plays: [SessionHeard] = []
    var left: [MemberID] = []
    var isEmpty: Bool { gestures.isEmpty && plays.isEmpty && left.isEmpty }
  }

  /// The state that the console shows and sets.
  struct State: Sendable {
    var board = BigMamaSettings()
    var roster: BigMamaRoster

    /// Removes a member that has left; returns the member's name, or nil if the member was no player.
    mutating func leave(_ member: MemberID) -> String? {
      let name = roster.players.first { $0.member == member }?.name
      if let place = roster.left(member) { board.removePlayer(at: place) }
      return name
    }
  }

  let state: Locked<State>
  let band: InstrumentHandle
  private let inbox = Locked(Inbox())
  private var players: [MemberID: RemotePart] = [:]
  private var nextCheck: HostTime
  private let run: Run
  /// A lock that is held while the assignments are written to the file, so that older assignments never replace newer
  /// assignments.
  private let saving = Locked<Void>(())

  /// The maximum number of strikes and notes that wait to be played; further strikes and notes are dropped.
  private static let mostPlays = 256
  /// The maximum number of gestures that wait to be played, and the maximum number of members whose leaving waits to be
  /// handled.
  ///
  /// Of each member, at most one gesture waits.
  ///
  /// This number is greater than `BigMamaRoster.most`, the maximum number of players.
  private static let mostGestures = 1024
  /// The time between updates of the band's activity, in seconds.
  private static let checkInterval = 0.1

  /// - Parameter instruments: the names of the instruments that are distributed among the players.
  /// - Throws: `InstrumentError`; errors of the sound.
  init(_ instruments: [String], run: Run) throws {
    for name in instruments { _ = try Instruments.named(name) }
    self.run = run
    state = Locked(State(roster: BigMamaRoster(instruments)))
    band = try Instruments.named("band").play()
    nextCheck = run.clock.now
    if let text = Self.assignmentsPath.flatMap({ WholeFile.text(of: $0) }) {
      state.withLock { $0.roster.assignments = BigMamaAssignment.read(text) }
    }
  }

  /// Starts to receive events from the room.
  func listen() throws {
    MoSession.onGesture { [self] gesture in
      put { inbox in
        guard inbox.gestures.count < Self.mostGestures || inbox.gestures[gesture.from] != nil else { return }
        inbox.gestures[gesture.from] = gesture.played
      }
    }
    _ = SessionServer.shared.heard.add { [self] heard in
      switch heard.play {
      case .hit, .note: put { if $0.plays.count < Self.mostPlays { $0.plays.append(heard) } }
      case .melody, .change, .gesture, .cells, .cue, .text: break
      }
    }
    MoSession.onEvent { [self] event in
      if case .left(let member, _) = event {
        put { if $0.left.count < Self.mostGestures { $0.left.append(member) } }
      }
    }
    try run.input.add(self) { _ in }
  }

  private func put(_ body: (inout Inbox) -> Void) {
    inbox.withLock { body(&$0) }
    run.input.wakeUp()
  }

  /// Adds a motion of this machine's sensor, or of a phone that sends to this machine, to the events that wait to be
  /// played.
  ///
  /// The motion plays this machine's own instrument.
  func move(_ motion: Motion) {
    put { inbox in
      inbox.gestures[Self.here] = SessionGesture(motion)
      guard let force = motion.strike, inbox.plays.count < Self.mostPlays else { return }
      inbox.plays.append(
        SessionHeard(
          from: Self.here, play: .hit(SessionHit(force: force)), time: motion.time, beat: nil, late: 0,
          weight: 1))
    }
  }

  /// The ID for this machine's own movement; no member has this ID.
  private static let here = MemberID(1)

  var nextTime: HostTime? { inbox.withLock { $0.isEmpty } ? nextCheck : .distantPast }

  func service(until now: HostTime) {
    let inbox = inbox.withLock { inbox in
      defer { inbox = Inbox() }
      return inbox
    }
    for member in inbox.left { leave(member) }
    for (member, gesture) in inbox.gestures.sorted(by: { $0.key < $1.key }) {
      player(member, activity: gesture.activity, at: now)?.handle.move(Motion(gesture, at: now))
    }
    for heard in inbox.plays { player(heard.from, activity: nil, at: now)?.play(heard) }
    guard now >= nextCheck else { return }
    nextCheck = now.advanced(bySeconds: Self.checkInterval)
    _ = try? band.set("activity", to: state.withLock { $0.roster.activity(at: now) })
  }

  /// Returns the `RemotePart` that plays a member's instrument; a member without an instrument first gets an
  /// instrument.
  ///
  /// The result is nil if the member has left the room, if there are too many players, or if the instrument cannot
  /// play.
  ///
  /// - Parameter activity: the member's activity, 0…1; nil if it is unchanged.
  private func player(_ member: MemberID, activity: Float?, at now: HostTime) -> RemotePart? {
    var name: String?
    if players[member] == nil {
      // A late event of a member that has left gets no instrument: it would never be returned.
      guard let here = self.name(of: member) else { return nil }
      name = here
    }
    let (assigned, volume, isTurnedAway) = state.withLock { state -> (BigMamaRoster.Player?, Float, Bool) in
      let known = state.roster.players.first { $0.member == member }?.name
      let before = state.roster.turnedAway.count
      let place = state.roster.recordMessage(from: member, name ?? known ?? "", activity: activity, at: now)
      return (
        place.map { state.roster.players[$0] }, state.board.volumes[BigMamaSettings.Row.players.rawValue],
        state.roster.turnedAway.count > before
      )
    }
    if isTurnedAway, let name {
      let most = BigMamaRoster.most
      MoLog.log(
        .warning, "\(name) gets no instrument: \(most) members have one; wait until one of them leaves")
    }
    guard let assigned else { return nil }
    if let player = players[member] { return player }
    do {
      let handle = try Instruments.named(assigned.instrument).play()
      handle.loudness = volume * assigned.volume
      let player = RemotePart(handle) { MoSession.beat }
      try run.input.add(player) { _ in }
      players[member] = player
      run.notice("\(assigned.name) plays \(assigned.instrument)")
      sendAssignment(of: assigned)
      return player
    } catch {
      _ = state.withLock { $0.leave(member) }
      MoLog.log(.warning, "\(assigned.name) has no instrument: \(error)")
      return nil
    }
  }

  private func leave(_ member: MemberID) {
    _ = state.withLock { $0.leave(member) }
    if let player = players.removeValue(forKey: member) {
      run.input.remove(player)
      player.handle.stop()
    }
  }

  /// Returns a member's display name; nil if the member is not in the room.
  private func name(of member: MemberID) -> String? {
    member == Self.here
      ? "(this machine)" : MoSession.members.first { $0.identity.member == member }?.displayName
  }

  /// Sets the loudness of each player's instrument to `volume`, 0…1, multiplied by the player's own volume.
  func setPlayers(_ volume: Float) {
    let assigned = state.withLock { $0.roster.players }
    for (member, player) in players {
      player.handle.loudness = volume * (assigned.first { $0.member == member }?.volume ?? 1)
    }
  }

  /// Changes the volume of the player at the index `place` by `more`, such as -0.05.
  ///
  /// Call this function on the thread `mo-input`, which also reads the keys.
  func setVolume(ofPlayer place: Int, by more: Float) {
    let (assigned, volume) = state.withLock { state in
      (
        state.roster.setVolume(ofPlayer: place, by: more),
        state.board.volumes[BigMamaSettings.Row.players.rawValue]
      )
    }
    guard let assigned else { return }
    players[assigned.member]?.handle.loudness = volume * assigned.volume
    sendAssignment(of: assigned)
    saveAssignments()
  }

  /// Gives the player at the index `place` the instrument that is `step` places further in the list of instruments.
  ///
  /// Call this function on the thread `mo-input`, which also reads the keys.
  func setInstrument(ofPlayer place: Int, by step: Int) {
    let all = Instruments.motion.map(\.sheet.name)
    let member = state.withLock { $0.roster.setInstrument(ofPlayer: place, by: step, among: all) }
    guard let member else { return }
    if let old = players.removeValue(forKey: member) {
      run.input.remove(old)
      old.handle.stop()
    }
    _ = player(member, activity: nil, at: run.clock.now)
    saveAssignments()
  }

  /// Sends the name and the volume of a player's instrument to the player, whose `momu session gestures` shows both.
  private func sendAssignment(of player: BigMamaRoster.Player) {
    guard player.member != Self.here else { return }
    // A player that has just gone needs no message.
    try? MoSession.setParameter(
      Self.assignmentParameter, to: player.volume, on: player.instrument, of: .member(player.member))
  }

  /// The name of the parameter by which Big Mama tells a player its instrument.
  static let assignmentParameter = "seat"

  /// Saves the players' assignments for the next start of the program: now, on a thread of its own, and when the
  /// program ends.
  private func saveAssignments() {
    run.atEnd(of: self) { $0.writeAssignments() }
    _ = try? MoThread(name: "mo-players") { [self] _ in writeAssignments() }
  }

  /// Writes the current assignments to a file.
  ///
  /// If two changes follow each other quickly, the threads of both changes can write the newer assignments.
  private func writeAssignments() {
    guard let path = Self.assignmentsPath else { return }
    saving.withLock { _ in
      let text = BigMamaAssignment.text(state.withLock { $0.roster.assignments })
      if let problem = WholeFile.write(text, to: path, isPrivate: false) {
        MoLog.log(.warning, "cannot save the players' instruments for the next start: \(path): \(problem)")
      }
    }
  }

  private static var assignmentsPath: String? {
    let environment = Run.environment()
    let state = environment["XDG_STATE_HOME"] ?? environment["HOME"].map { $0 + "/.local/state" }
    return state.map { $0 + "/momu/big-mama" }
  }
}
