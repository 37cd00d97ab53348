import MoTime

/// Writes down what happens in a session, for a tape: nothing twice, and never more than can be taken out.
struct SessionScribe: Sendable {
  private(set) var entries: [SessionTapeEntry] = []
  /// How many had no room.
  private(set) var lost = 0
  /// Whether it stands on the tape which room this is.
  var hasRoom = false
  /// What stands on the tape of the state, of who is here, and of the clock.
  var state = SessionState.none
  var members: [MemberID: SessionTapeMember] = [:]
  var clock: (line: SessionTapeClock, at: HostTime)?
  /// The roster is looked through, and the clock is written down, again then.
  var nextRoster = HostTime.distantPast
  var nextClock = HostTime.distantPast
  /// One's own activity as it stands on the tape, and when it may be written again.
  private var activity: Float?
  private var nextActivity = HostTime.distantPast

  /// Most entries that wait to be taken out.
  static let most = 4096
  /// Seconds after which the roster is looked through, and the clock is written down.
  static let pause = 1.0
  /// How far the clock may be from its line before it is written down, in nanoseconds: half a frame's length.
  static let straightness: Int64 = 10_000
  /// Seconds from one line to the next, where the clock bends.
  static let shortestLine = 0.02

  mutating func add(_ note: SessionTapeNote, at now: HostTime, beat: Double?) {
    guard entries.count < Self.most else {
      lost += 1
      return
    }
    entries.append(SessionTapeEntry(time: now, beat: beat, note: note))
  }

  mutating func take() -> [SessionTapeEntry] {
    defer { entries.removeAll(keepingCapacity: true) }
    return entries
  }

  /// Whether one's own activity is worth writing down: ten times a second at most, and where it has changed.
  mutating func isNew(activity level: Float, at now: HostTime) -> Bool {
    let step = Float(ActivityDesk.step(level)) / 127
    guard step != activity, now >= nextActivity else { return false }
    (activity, nextActivity) = (step, now.advanced(bySeconds: 0.1))
    return true
  }

  /// Whether the clock is not where its line would have it.
  func isBent(_ shared: SessionTime, at now: HostTime) -> Bool {
    guard let clock else { return true }
    let elapsed = now.nanoseconds &- clock.at.nanoseconds
    let due =
      clock.line.shared.nanoseconds &+ elapsed &+ Int64((Double(elapsed) * clock.line.rate).rounded())
    let off = (shared.nanoseconds &- due).magnitude
    return off > Self.straightness.magnitude && now.seconds(since: clock.at) >= Self.shortestLine
      || off > 100 * Self.straightness.magnitude
  }
}
