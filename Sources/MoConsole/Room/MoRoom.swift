import MoCore
import MoInstruments
import MoOrchestra

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
    run.notice("in the room \(room): the rhythm is its conductor's; Enter starts it if none runs")
    if !run.isOffline { try run.input.add(AloneNotice(room, from: run.clock.now)) { _ in } }
    return { MoSession.beat }
  }

  /// Shows the room's status above what is shown, and takes the keys of its rhythm.
  ///
  /// - Parameter hasKeys: false if the desk itself has keys for the rhythm.
  static func open(hasKeys: Bool = true) {
    let run = Run.current
    let prompt = CommandPrompt(": ")
    let help = hasKeys ? RoomKeys.help : RoomKeys.talk
    run.picture.withLock { picture in
      let own = picture.draw
      picture.draw = { columns in
        let facts = RoomFacts.now()
        let status = facts.map { [StatusLine.block($0, columns: columns, namesOthers: true)] } ?? []
        return status + (own?(columns) ?? [])
          + [prompt.block(columns: columns) ?? help.block(columns: columns, hasPage: false)]
      }
    }
    StatusPrinter.open(run)
    prompt.listen(run)
    guard hasKeys, !run.isOffline else { return }
    _ = try? run.keys.add(to: run.input, rank: .first) { key, now in RoomKeys.take(key, at: now) }
  }
}

/// What the terminal's keys do to the room's rhythm beside a desk that has none of its own.
enum RoomKeys {
  static let help = KeyHelp([
    KeyHelp.Item("Enter", "start/stop for all"), KeyHelp.Item("[ ]", "tempo"), CommandPrompt.talkHelp,
    KeyHelp.Item("Ctrl-C", "leaves"),
  ])

  /// Beside a desk with keys of its own for the rhythm.
  static let talk = KeyHelp([CommandPrompt.talkHelp, KeyHelp.Item("Ctrl-C", "leaves")])

  /// Whether a key is one of these; then it is done.
  static func take(_ key: TerminalKey, at now: HostTime) -> Bool {
    let reins = RhythmTransport.room
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

extension RhythmTransport {
  /// Those of the room's rhythm: who starts it conducts; what is not one's to do is said.
  static let room = RhythmTransport(
    state: { MoSession.announced.isPlaying ? .playing : .stopped },
    tempo: { MoSession.announced.tempo },
    start: { attempt { try MoSession.startRhythm() } },
    stop: { attempt { try MoSession.stopRhythm() } },
    pause: { MoLog.log(.notice, "a room's rhythm is not paused: space stops it") },
    resume: {},
    setTempo: { tempo in attempt { try MoSession.setTempo(max(20, min(tempo, 999))) } })

  private static func attempt(_ body: () throws -> Void) {
    do { try body() } catch { MoLog.log(.notice, "\(error)") }
  }
}

/// Says after a while that nobody else has come, and which room may have been meant.
final class AloneNotice: EventSource {
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
