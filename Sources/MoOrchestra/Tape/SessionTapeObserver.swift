import MoCore
import MoSessionCore

/// Creates a tape's entries from a session's events, without duplicates; stores at most 4096 entries until they are
/// removed.
///
/// - Thread: the session's owner.
package struct SessionTapeObserver: SessionObserver {
  private var entries: [SessionTapeEntry] = []
  /// The number of entries that were dropped because 4096 earlier entries had not been removed.
  package private(set) var lost = 0
  /// Whether the tape already names this room.
  private var hasRoom = false
  /// The state that was last recorded on the tape; `members` is the recorded roster, and `clock` is the recorded
  /// linear function from the tape's clock to the shared clock.
  private var state = SessionState.none
  private var members: [MemberID: SessionTapeMember] = [:]
  private var clock: (line: SessionTapeClock, at: HostTime)?
  /// The member that called for the silence that was last recorded; nil if its end is recorded.
  private var silencer: MemberID?
  /// The time at which the roster is next compared with the recorded roster.
  ///
  /// At `nextClock`, the relation of the shared clock to the tape's clock (`SessionTapeClock`) is recorded anew.
  private var nextRoster = HostTime.distantPast
  private var nextClock = HostTime.distantPast
  /// The last recorded activity of this member, 0…1; nil before the first recording.
  ///
  /// The next activity is recorded at `nextActivity` or later.
  private var activity: Float?
  private var nextActivity = HostTime.distantPast

  /// The largest number of entries that are stored until they are removed.
  static let most = 4096
  /// The interval, in seconds, at which the roster is compared with the recorded roster, and at which a new line of the
  /// clock is recorded.
  ///
  /// A line (`SessionTapeClock`) gives the shared clock as a linear function of the tape's clock.
  private static let pause = 1.0
  /// The largest error of the recorded line (`SessionTapeClock`) from the shared clock, in nanoseconds: about half the
  /// length of a frame at 48 kHz.
  private static let straightness: Int64 = 10_000
  /// The least number of seconds between two recorded lines (`SessionTapeClock`), unless the shared clock jumps by more
  /// than 1 ms.
  private static let shortestLine = 0.02

  package init() {}

  /// Removes and returns the new entries, in order of time.
  mutating func takeEntries(of core: SessionCore, at now: HostTime) -> [SessionTapeEntry] {
    compare(core, at: now)
    defer { entries.removeAll(keepingCapacity: true) }
    return entries
  }

  package mutating func receive(_ notice: SessionNotice, of core: SessionCore, at now: HostTime) {
    let note: SessionTapeNote
    switch notice {
    case .roster:
      nextRoster = .distantPast
      return
    case .activity(let id, let level):
      guard id != core.settings.identity.member || isNew(activity: level, at: now) else { return }
      note = .activity(id, level)
    case .heard(let heard):
      note = .heard(heard)
      expectLevels(heard.play)
    case .sent(let play, let aim, let isForMe, let stamp):
      expectLevels(play)
      note = .sent(SessionSent(play, aim, isForMe: isForMe, stamp: stamp, of: core, at: now))
    }
    compare(core, at: now)
    add(note, of: core, at: now)
  }

  /// Has the roster compared soon if a play may assign members to sections, which changes their levels.
  private mutating func expectLevels(_ play: SessionPlay) {
    if case .cells(let cells) = play, SessionCore.assignsSections(cells) { nextRoster = .distantPast }
  }

  /// Adds an entry; returns false if the entry was dropped.
  @discardableResult
  private mutating func add(_ note: SessionTapeNote, of core: SessionCore, at now: HostTime) -> Bool {
    guard entries.count < Self.most else {
      lost += 1
      return false
    }
    entries.append(SessionTapeEntry(time: now, beat: core.beatClock.beat(at: now), note: note))
    return true
  }

  /// Adds entries for what has changed in the room since the last entries: the roster with its levels, the clock, the
  /// state, the silence.
  private mutating func compare(_ core: SessionCore, at now: HostTime) {
    if !hasRoom {
      hasRoom = true
      let me = core.settings.identity
      let room = SessionTapeRoom(name: core.settings.room, member: me.member, program: me.program)
      add(.room(room), of: core, at: now)
      // Earlier shared state is recorded as if it were sent now.
      for cells in core.allShared {
        let heard = SessionHeard(from: me.member, play: .cells(cells), time: now)
        add(.heard(heard), of: core, at: now)
      }
    }
    // The shown state: another part's rhythm is adopted at a bar line, not when it is received.
    var shown = core.state
    shown.timeline = core.beatClock.timeline
    // A state that no member has written yet has no clock.
    let isNew = shown != state && shown.lineage != .nobody
    if isNew || now >= nextRoster { compareRoster(core, at: now) }
    compareClock(core, at: now)
    // What was dropped is recorded later.
    if isNew, add(.state(shown), of: core, at: now) { state = shown }
    let caller = core.silenced?.by
    if caller != silencer, add(caller.map { .panic($0) } ?? .panicLifted, of: core, at: now) {
      silencer = caller
    }
  }

  private mutating func compareRoster(_ core: SessionCore, at now: HostTime) {
    nextRoster = now.advanced(bySeconds: Self.pause)
    var here: Set<MemberID> = []
    for member in core.roster(at: now) {
      let entry = SessionTapeMember(
        member: member.identity.member, installation: member.identity.installation,
        name: member.displayName, program: member.identity.program, isHere: true, plays: member.plays,
        level: core.sectionLevel(of: member.identity.installation, at: now))
      here.insert(entry.member)
      if members[entry.member] != entry, add(.member(entry), of: core, at: now) {
        members[entry.member] = entry
      }
    }
    for id in members.keys.sorted() where !here.contains(id) {
      guard var gone = members[id] else { continue }
      gone.isHere = false
      if add(.member(gone), of: core, at: now) { members[id] = nil }
    }
  }

  private mutating func compareClock(_ core: SessionCore, at now: HostTime) {
    let beatClock = core.beatClock
    guard beatClock.clock.hasStarted else { return }
    let shared = beatClock.sessionTime(at: now)
    guard now >= nextClock || isBent(shared, at: now) else { return }
    // At its observed rate, since a correction fades meanwhile.
    let later = beatClock.sessionTime(at: now.advanced(byNanoseconds: 1_000_000_000))
    let rate = Double(later.nanoseconds &- shared.nanoseconds &- 1_000_000_000) / 1e9
    let line = SessionTapeClock(shared: shared, rate: max(-9e-4, min(rate, 9e-4)))
    clock = (line, now)
    nextClock = now.advanced(bySeconds: Self.pause)
    add(.clock(line), of: core, at: now)
  }

  /// Whether the shared clock is so far from its recorded line (`SessionTapeClock`) that a new line must be recorded.
  private func isBent(_ shared: SessionTime, at now: HostTime) -> Bool {
    guard let clock else { return true }
    let elapsed = now.nanoseconds &- clock.at.nanoseconds
    let due =
      clock.line.shared.nanoseconds &+ elapsed &+ Int64((Double(elapsed) * clock.line.rate).rounded())
    let off = (shared.nanoseconds &- due).magnitude
    return off > Self.straightness.magnitude && now.seconds(since: clock.at) >= Self.shortestLine
      || off > 100 * Self.straightness.magnitude
  }

  /// Whether to record this member's activity: ten times a second at most, and only if it has changed.
  private mutating func isNew(activity level: Float, at now: HostTime) -> Bool {
    let step = Float(ActivityReports.step(level)) / 127
    guard step != activity, now >= nextActivity else { return false }
    (activity, nextActivity) = (step, now.advanced(bySeconds: 0.1))
    return true
  }
}

extension SessionCore {
  /// Whether the session creates entries for a tape; remove them regularly with `takeTape`, since at most 4096 are
  /// stored.
  package var isRecorded: Bool {
    get { observer is SessionTapeObserver }
    set { if newValue != isRecorded { observer = newValue ? SessionTapeObserver() : nil } }
  }

  /// Removes and returns the tape's new entries, in order of time; none if no tape is recorded.
  package mutating func takeTape(at now: HostTime) -> [SessionTapeEntry] {
    guard var recorder = observer as? SessionTapeObserver else { return [] }
    observer = nil
    let entries = recorder.takeEntries(of: self, at: now)
    observer = recorder
    return entries
  }
}

extension SessionSent {
  /// Creates the record of a play that the member `core` sends at the time `now`.
  fileprivate init(
    _ play: SessionPlay, _ aim: SessionAim, isForMe: Bool, stamp: PlayStamp?, of core: SessionCore,
    at now: HostTime
  ) {
    let clock = core.beatClock
    let moment = stamp.flatMap { stamp in
      clock.course?.moment(ofBeat: stamp.beat, from: clock.sessionTime(at: now))
    }
    let words =
      switch aim {
      case .crowd(.everyone): "everyone"
      case .crowd(.others): "others"
      case .one(.name(let name)): name
      case .section(let name): "section \(name)"
      case .recorders: "the tape"
      case .one(.id(let id)):
        core.displayName(of: id) ?? id.description
      }
    self.init(
      play: play, aim: words, isForMe: isForMe, time: moment.map { clock.hostTime(at: $0) } ?? now,
      beat: stamp?.beat)
  }
}
