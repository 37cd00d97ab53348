import MoCore
import MoInstruments
import MoMIDI
import MoOrchestra

/// The room that `--room` names, for programs that can play in a room.
///
/// ```swift
/// let piano = try MoAudio.play(Piano())
/// if try MoRoom.joinIfNamed() { try piano.share() }
/// ```
public enum MoRoom {
  /// Joins the room that `--room` or `MOMU_ROOM` names, locked by `--passkey`; returns false if none is named.
  ///
  /// The instruments then play on the room's rhythm. The terminal shows a line about the room. Enter starts its rhythm,
  /// or stops it if this member conducts; `[` and `]` change the tempo; `:` begins a command of `momu session`.
  ///
  /// - Throws: `SessionError`; the errors of `MoAudio.follow`.
  /// - Thread: the main thread, in the set-up, after all consoles have been opened.
  public static func joinIfNamed() throws -> Bool {
    guard isNamed else { return false }
    let beat = try join()
    try MoAudio.follow(beat)
    open()
    return true
  }

  /// Reports that a variable or an option has no effect in a room, since the conductor sets the rhythm.
  ///
  /// - Parameter name: the name of the variable or option, such as `PIANO_TEMPO`.
  public static func remark(ignoring name: String) {
    Run.current.notice("in a room \(name) has no effect: the conductor sets the tempo")
  }

  /// Whether a room is named for this run.
  static var isNamed: Bool { Run.current.options.given.contains("room") }

  /// Joins the room, and logs notices about it; returns the source of its beat.
  ///
  /// - Parameter startKey: the key that starts the rhythm.
  static func join(startKey: String = "Enter") throws -> @Sendable () -> BeatClock {
    try MoSession.join()
    let run = Run.current
    let room = MoSession.room ?? ""
    run.notice("in the room \(room): \(startKey) starts its rhythm if none runs")
    if !run.isOffline { try run.input.add(AloneNotice(room, from: run.clock.now)) { _ in } }
    MIDIServer.shared.playFiles { MoSession.beat }
    try syncGear()
    return { MoSession.beat }
  }

  /// Connects the room's beat with MIDI clock, as `--midi-clock` says.
  ///
  /// With `--midi-clock lead`, the room's beat leads gear. With `--midi-clock follow`, this member conducts the room
  /// at the beat of the gear. If another member conducts, the room does not follow the gear, and a notice says so.
  /// Without the option, the function does nothing. `joinIfNamed` calls this function, so call it yourself only in a
  /// program that joins by `MoSession.join`.
  ///
  /// - Throws: `MIDIError`.
  /// - Thread: the main thread, in the set-up.
  public static func syncGear() throws { try MoMIDI.syncIfAsked(.room) }

  /// Shows the room's status above the picture, and handles the keys of its rhythm.
  ///
  /// - Parameter hasKeys: false if the console itself has keys for the rhythm.
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

/// The keys that control the room's rhythm in a program whose console has no such keys.
enum RoomKeys {
  static let help = KeyHelp([
    KeyHelp.Item("Enter", "start/stop for all"), KeyHelp.Item("[ ]", "tempo"), CommandPrompt.talkHelp,
    CommandPrompt.commandHelp, KeyHelp.Item("Ctrl-C", "leaves"),
  ])

  /// The help for a console with its own keys for the rhythm.
  static let talk = KeyHelp([
    CommandPrompt.talkHelp, CommandPrompt.commandHelp, KeyHelp.Item("Ctrl-C", "leaves"),
  ])

  /// Executes a key that controls the room's rhythm; returns false for any other key.
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
  /// The control of the room's rhythm: starting it makes this member the conductor; refusals are logged.
  static let room = RhythmTransport(
    state: { MoSession.announced.isPlaying ? .playing : .stopped },
    tempo: { MoSession.announced.tempo },
    start: { attempt { try MoSession.startRhythm() } },
    stop: { attempt { try stopAfterQuestion() } },
    pause: { MoLog.log(.notice, "a room's rhythm cannot pause: space stops it") },
    resume: {},
    setTempo: { tempo in attempt { try MoSession.setTempo(Tempo(tempo)) } })

  private static func attempt(_ body: () throws -> Void) {
    do { try body() } catch { MoLog.log(.notice, "\(error)") }
  }

  /// Stops the room's rhythm; if its conductor has gone, only at a second call within 5 s.
  ///
  /// A player who sees "no conductor" may want to take the baton, and would stop the music for all.
  static func stopAfterQuestion() throws {
    let now = Run.current.clock.now
    let members = MoSession.members
    let isConducted = members.count < 2 || members.contains(where: \.isConductor)
    let before = asked.withLock { asked in
      defer { asked = isConducted ? nil : now }
      return asked
    }
    guard !isConducted, before.map({ now.seconds(since: $0) > 5 }) ?? true else {
      return try MoSession.stopRhythm()
    }
    MoLog.log(
      .notice, "no member conducts: b takes the baton; the same key again within 5 s stops the rhythm for all"
    )
  }

  private static let asked = Locked<HostTime?>(nil)
}

/// Reports after a while that no other member has come, and which room may have been meant.
package final class AloneNotice: EventSource {
  package let name = "other members"
  package let descriptor: Int32? = nil
  package private(set) var nextTime: HostTime?
  private let room: String

  /// Seconds after which all present members have been found, by multicast, Avahi or address.
  private static let patience = 3.0

  init(_ room: String, from now: HostTime) {
    self.room = room
    nextTime = now.advanced(bySeconds: Self.patience)
  }

  package func service(until now: HostTime) {
    guard let time = nextTime, time <= now else { return }
    nextTime = nil
    guard MoSession.members.count < 2 else { return }
    Run.current.notice(Self.text(room, others: MoSession.otherRooms.map(\.name)))
  }

  /// Returns the notice; it suggests another room only if that room has a similar name: a new room may be intended.
  static func text(_ room: String, others: [String]) -> String {
    "no other member is in the room \(room) yet: you play alone"
      + (similar(to: room, among: others).map { "; did you mean the room \($0)? --room \($0)" } ?? "")
  }

  /// Returns the name of another room that is similar to `room`; nil if there is none.
  package static func similar(to room: String, among others: [String]) -> String? {
    let names = others.filter { $0 != room }
    // Different capitals are not a likely mistake.
    let near = Spelling.nearest(to: room, among: names.map { $0.lowercased() })
    return names.first { $0.lowercased() == near }
  }
}
