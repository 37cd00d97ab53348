import MoTime

extension SessionCore {
  /// Whether what happens is written down for a tape; at first it is not.
  ///
  /// Whoever switches it on takes the entries out (`takeTape`); at most 4096 are kept.
  public var isRecorded: Bool {
    get { scribe != nil }
    set { if newValue != (scribe != nil) { scribe = newValue ? SessionScribe() : nil } }
  }

  /// How many entries had no room since recording began, because nobody took out those before.
  public var tapeLost: Int { scribe?.lost ?? 0 }

  /// Takes out what has happened since the last time, in order of time; nothing where it is not recorded.
  public mutating func takeTape(at now: HostTime) -> [SessionTapeEntry] {
    guard scribe != nil else { return [] }
    lookForTape(at: now)
    return scribe?.take() ?? []
  }

  /// Writes something down, and before it what has changed in the room.
  mutating func note(_ note: SessionTapeNote, at now: HostTime) {
    guard scribe != nil else { return }
    lookForTape(at: now)
    add(note, at: now)
  }

  /// Somebody has come or gone: the roster is looked through at once.
  mutating func noteRoster() { scribe?.nextRoster = .distantPast }

  /// Writes down how much one moves.
  mutating func noteOwnActivity(_ level: Float, at now: HostTime) {
    guard scribe?.isNew(activity: level, at: now) == true else { return }
    note(.activity(me, level), at: now)
  }

  /// Something that was played for others, as it stands on a tape.
  func sent(
    _ play: SessionPlay, _ aim: SessionAim, isForMe: Bool, stamp: PlayStamp?, now: HostTime
  ) -> SessionSent {
    let from = beatClock.sessionTime(at: now)
    let moment = stamp.flatMap { beatClock.course?.moment(ofBeat: $0.beat, from: from) }
    return SessionSent(
      play: play, aim: words(for: aim, at: now), isForMe: isForMe,
      time: moment.map { beatClock.hostTime(at: $0) } ?? now, beat: stamp?.beat)
  }

  private func words(for aim: SessionAim, at now: HostTime) -> String {
    switch aim {
    case .crowd(.everyone): "everyone"
    case .crowd(.others): "others"
    case .named(let name): name
    case .section(let name): "section \(name)"
    case .member(let id):
      roster(at: now).first { $0.identity.member == id }?.displayName ?? id.description
    }
  }

  private mutating func add(_ note: SessionTapeNote, at now: HostTime) {
    let beat = beatClock.beat(at: now)
    scribe?.add(note, at: now, beat: beat)
  }

  /// Writes down what has changed in the room: who is here, the clock, what all agree on.
  private mutating func lookForTape(at now: HostTime) {
    guard let before = scribe else { return }
    if !before.hasRoom {
      scribe?.hasRoom = true
      let program = settings.identity.program
      add(.room(SessionTapeRoom(name: settings.room, member: me, program: program)), at: now)
      // What was shared before, as though it were told now.
      for cells in sharing.store.messages {
        add(
          .heard(SessionHeard(from: me, play: .cells(cells), time: now, beat: nil, late: 0, weight: 1)),
          at: now)
      }
    }
    lookAtRoster(at: now)
    lookAtClock(at: now)
    // What is shown: another part's rhythm is taken over at a bar line, not when it is told of.
    var shown = state
    shown.timeline = beatClock.timeline
    // One that nobody wrote yet is on no clock.
    if shown != before.state, shown.lineage != .nobody {
      scribe?.state = shown
      add(.state(shown), at: now)
    }
  }

  private mutating func lookAtRoster(at now: HostTime) {
    guard let before = scribe, now >= before.nextRoster else { return }
    scribe?.nextRoster = now.advanced(bySeconds: SessionScribe.pause)
    var here: [MemberID: SessionTapeMember] = [:]
    for member in roster(at: now) {
      let entry = SessionTapeMember(
        member: member.identity.member, installation: member.identity.installation,
        name: member.displayName, program: member.identity.program, isHere: true)
      here[entry.member] = entry
      if before.members[entry.member] != entry { add(.member(entry), at: now) }
    }
    for id in before.members.keys.sorted() where here[id] == nil {
      guard var gone = before.members[id] else { continue }
      gone.isHere = false
      add(.member(gone), at: now)
    }
    scribe?.members = here
  }

  private mutating func lookAtClock(at now: HostTime) {
    guard let before = scribe, beatClock.clock.hasStarted else { return }
    let shared = beatClock.sessionTime(at: now)
    guard now >= before.nextClock || before.isBent(shared, at: now) else { return }
    // As fast as it is seen to run: what it is off by fades meanwhile.
    let later = beatClock.sessionTime(at: now.advanced(byNanoseconds: 1_000_000_000))
    let rate = Double(later.nanoseconds &- shared.nanoseconds &- 1_000_000_000) / 1e9
    let line = SessionTapeClock(shared: shared, rate: max(-9e-4, min(rate, 9e-4)))
    scribe?.clock = (line, now)
    scribe?.nextClock = now.advanced(bySeconds: SessionScribe.pause)
    add(.clock(line), at: now)
  }
}
