import MoInstruments
import MoOrchestra
import MoTime

/// The room that `--room` names, for programs that play in one if they are asked to.
///
/// ```swift
/// let piano = try MoAudio.play(Piano())
/// if try MoRoom.joinIfNamed() { try piano.share() }
/// ```
public enum MoRoom {
  /// Joins the room that `--room` or `MOMU_ROOM` names, locked by `--passkey`, and has the instruments play on its
  /// rhythm; false where none is named.
  ///
  /// The terminal then shows a line about the room; Enter starts its rhythm, or stops it where one conducts, and `[` and
  /// `]` change the tempo.
  ///
  /// - Throws: `SessionError`; what `MoAudio.follow` throws.
  /// - Thread: the main thread, in the set-up, when whatever is shown has been opened.
  public static func joinIfNamed() throws -> Bool {
    guard isNamed else { return false }
    let beat = try join()
    try MoAudio.follow(beat)
    open()
    return true
  }

  /// Says that what a variable or an option asks for is not done in a room, since the rhythm is its conductor's.
  ///
  /// - Parameter name: the variable's or option's, such as `PIANO_TEMPO`.
  public static func remark(ignoring name: String) {
    Run.current.notice("in a room \(name) does nothing: the rhythm's tempo is its conductor's")
  }

  /// Whether a room is named for this run.
  static var isNamed: Bool { Run.current.options.given.contains("room") }

  /// Joins the room, and says what is to be known of it; where its beat is read.
  static func join() throws -> @Sendable () -> BeatClock {
    try MoSession.join()
    let run = Run.current
    let room = MoSession.room ?? ""
    run.notice(
      "in the room \(room): the rhythm is its conductor's; if it has none: momu session --room \(room) --conduct"
    )
    if !run.isOffline { try run.input.add(Loneliness(room, from: run.clock.now)) { _ in } }
    return { MoSession.beat }
  }

  /// Shows a line of the room below what is shown, and takes its keys.
  ///
  /// - Parameter hasKeys: false where the desk itself sees to the rhythm.
  static func open(hasKeys: Bool = true) {
    let run = Run.current
    run.picture.withLock { picture in
      let above = picture.draw
      picture.draw = { (above?() ?? "") + RoomLine.now() }
    }
    guard hasKeys, !run.isOffline else { return }
    _ = try? run.keys.add(to: run.input, isFirst: true) { key, now in RoomKeys.take(key, at: now) }
  }
}

/// The room in one line: who is in it, and the beat.
enum RoomLine {
  /// No longer than a terminal's 80 columns, less the last, which would begin a new line.
  static let columns = 79

  static func now() -> String {
    SessionServer.shared.look { core, now in
      let clock = core.beatClock
      return text(
        core.roster(at: now), room: core.settings.room,
        position: clock.isPlaying(at: now) ? clock.position(at: now) : nil, tempo: clock.tempo(at: now))
    } ?? ""
  }

  /// - Parameter position: nil where no rhythm runs.
  static func text(_ members: [SessionMember], room: String, position: BarPosition?, tempo: Double?) -> String
  {
    let rhythm =
      if let position, let tempo {
        "bar \(position.bar), beat \(Int(position.beat) + 1), \(Int(tempo.rounded())) beats a minute"
      } else { "no rhythm" }
    var line = "room \(room): \(rhythm)"
    let others = members.filter { !$0.isMe }
    line += others.isEmpty ? "   nobody else is here" : "   with"
    for (index, member) in others.enumerated() {
      let name = " " + (member.isConductor ? "♪" : "") + member.displayName
      let left = others.count - index
      // There must be room for how many are not named.
      guard line.count + name.count + (left > 1 ? 6 : 0) <= columns else {
        line += " +\(left)"
        break
      }
      line += name
    }
    return String(line.prefix(columns)) + "\n"
  }
}

/// What the terminal's keys do to the room's rhythm beside a desk that has none of its own.
enum RoomKeys {
  /// Whether a key is one of these; then it is done.
  static func take(_ key: TerminalKey, at now: HostTime) -> Bool {
    let reins = RhythmReins.room
    switch key {
    case .character("\n"), .character("\r"):
      if reins.state() == .stopped { reins.start() } else { reins.stop() }
    case .character("["): reins.setTempo(reins.tempo() - 5)
    case .character("]"): reins.setTempo(reins.tempo() + 5)
    default: return false
    }
    return true
  }
}

extension RhythmReins {
  /// Those of the room's rhythm: who starts it conducts; what is not one's to do is said.
  static let room = RhythmReins(
    state: { MoSession.announced.isPlaying ? .playing : .stopped },
    tempo: { MoSession.announced.tempo },
    start: { attempt { try MoSession.start() } },
    stop: { attempt { try MoSession.stop() } },
    pause: { MoLog.log(.notice, "a room's rhythm is not paused: space stops it") },
    resume: {},
    setTempo: { tempo in attempt { try MoSession.setTempo(max(20, min(tempo, 999))) } })

  private static func attempt(_ body: () throws -> Void) {
    do { try body() } catch { MoLog.log(.notice, "\(error)") }
  }
}

/// Says after a while that nobody else has come, and which room may have been meant.
final class Loneliness: InputSource {
  let name = "who else is here"
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private let room: String

  /// Seconds after which whoever is there has been found, by whatever way.
  private static let patience = 3.0

  init(_ room: String, from now: HostTime) {
    self.room = room
    nextTime = now.advanced(bySeconds: Self.patience)
  }

  func service(until now: HostTime) {
    guard let time = nextTime, time <= now else { return }
    nextTime = nil
    guard MoSession.members.count < 2 else { return }
    Run.current.notice(Self.text(room, others: MoSession.otherRooms.map(\.name)))
  }

  /// What is said; a new room is as good as any, so that one is only asked about a name that is near another's.
  static func text(_ room: String, others: [String]) -> String {
    let alone = "nobody else is in the room \(room) yet: this one plays on alone"
    let names = others.filter { $0 != room }
    // Capitals are not what one is mistaken about.
    let near = Spelling.nearest(to: room, among: names.map { $0.lowercased() })
    guard let name = names.first(where: { $0.lowercased() == near }) else { return alone }
    return "\(alone); did you mean the room \(name)? --room \(name)"
  }
}
