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
  /// Joins the room that `--room` or `MOMU_ROOM` names; returns false if neither names a room.
  ///
  /// With `--passkey`, the room is locked. The instruments then follow the room's rhythm. The terminal shows a line
  /// about the room. Enter starts the room's rhythm, or stops it if this member conducts; `[` and `]` change the tempo;
  /// `:` begins a command of `momu session`.
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

  /// Logs a notice that an option or environment variable has no effect in a room, since the conductor sets the tempo.
  ///
  /// - Parameter name: the name of the option or environment variable, such as `--tempo`.
  public static func remark(ignoring name: String) {
    Run.current.notice("in a room \(name) has no effect: the conductor sets the tempo")
  }

  /// Whether `--room` or `MOMU_ROOM` names a room for this program.
  static var isNamed: Bool { Run.current.options.given.contains("room") }

  /// Joins the room, logs notices about the room, and returns a function that gives the room's beat.
  ///
  /// - Parameter startKey: the name of the key that starts the room's rhythm; a notice mentions this key.
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

  /// Connects the room's beat with the MIDI clock of other devices, as `--midi-clock` says.
  ///
  /// With `--midi-clock lead`, MIDI devices follow the room's beat. With `--midi-clock follow`, this member conducts
  /// the room at the beat of a MIDI device. If another member conducts, the room does not follow the device, and a
  /// notice reports this. Without the option, the function does nothing. `joinIfNamed` calls `syncGear`, so call
  /// `syncGear` yourself only in a program that joins by `MoSession.join`.
  ///
  /// - Throws: `MIDIError`.
  /// - Thread: the main thread, in the set-up.
  public static func syncGear() throws { try MoMIDI.syncIfAsked(.room) }

  /// Shows the room's status above the console's picture, and handles the keys of the room's rhythm.
  ///
  /// - Parameters:
  ///   - hasKeys: whether Enter, `[` and `]` control the rhythm; false if the console has its own keys for the rhythm.
  ///   - sendsNotes: whether the program sends notes; if not, the status leaves out the gates for notes.
  static func open(hasKeys: Bool = true, sendsNotes: Bool = true) {
    let run = Run.current
    let prompt = CommandPrompt(": ")
    let keys = hasKeys ? RoomKeys.keys : RoomKeys.talk
    let isStage = Locked(StagePicture.isFirst(run))
    run.picture.withLock { picture in
      let own = picture.draw
      picture.draw = { columns in
        let facts = RoomFacts.now()
        // The line of keys needs all gates: a member whose notes gate is closed cannot talk.
        let shown = sendsNotes ? facts : facts?.withoutNotesGates
        if isStage.withLock({ $0 }) {
          return StagePicture.blocks(shown ?? RoomFacts(), columns: columns)
            + [prompt.block(columns: columns)].compactMap(\.self)
        }
        let status = shown.map { [StatusLine.block($0, columns: columns, namesOthers: true)] } ?? []
        return status + (own?(columns) ?? [])
          + [
            prompt.block(columns: columns)
              ?? ConsoleKey.help(keys, facts).block(columns: columns, hasPage: false, least: 0)
          ]
      }
    }
    StatusPrinter.open(run, sendsNotes: sendsNotes)
    prompt.listen(run)
    guard !run.isOffline else { return }
    _ = try? run.keys.add(to: run.input, rank: .first) { key, _ in
      guard key == StagePicture.key else { return false }
      isStage.withLock { $0.toggle() }
      return true
    }
    guard hasKeys else { return }
    _ = try? run.keys.add(to: run.input, rank: .first) { key, now in RoomKeys.handleKey(key, at: now) }
  }
}

extension MoRoom {
  /// The member after this member, in the order of names; after the last member, the first.
  ///
  /// If there is no other member, the neighbour is this member. Before a room is joined, the value is nil.
  public static var neighbour: SessionMember? {
    let members = MoSession.members.inNaturalOrder(of: \.displayName)
    guard let place = members.firstIndex(where: \.isMe) else { return members.first }
    return members[(place + 1) % members.count]
  }

  /// Whether the room has no other member; also true before a room is joined.
  public static var isAlone: Bool { MoSession.members.count < 2 }
}

/// The keys that control the room's rhythm in a program whose console has no such keys.
enum RoomKeys {
  static let keys = [ConsoleKey("Enter", "start/stop", .start), ConsoleKey("[ ]", "tempo", .rhythm)] + talk

  /// The room's keys for a console that has its own keys for the rhythm.
  static let talk = [
    ConsoleKey(CommandPrompt.talkHelp, .talk), ConsoleKey(CommandPrompt.commandHelp),
    ConsoleKey(StagePicture.keyHelp), ConsoleKey("Ctrl-C", "leaves"),
  ]

  /// Executes a key that controls the room's rhythm; returns false for any other key.
  static func handleKey(_ key: TerminalKey, at now: HostTime) -> Bool {
    let transport = RhythmTransport.room
    switch key {
    case .character("\n"), .character("\r"):
      if transport.state() == .stopped { transport.start() } else { transport.stop() }
    case .character("["): transport.setTempo(transport.tempo() - 5)
    case .character("]"): transport.setTempo(transport.tempo() + 5)
    default: return false
    }
    return true
  }
}

/// An event source that logs a notice, 3 s after this member joins, if no other member is in the room.
///
/// If this machine has no network, the notice says so. If another room has a similar name, the notice suggests that room.
package final class AloneNotice: EventTimer {
  package let name = "other members"
  package private(set) var nextTime: HostTime?
  private let room: String

  /// The time from joining to the notice, in seconds.
  ///
  /// Within this time, multicast, Avahi or a given address finds all present members.
  private static let noticeDelay = 3.0

  init(_ room: String, from now: HostTime) {
    self.room = room
    nextTime = now.advanced(bySeconds: Self.noticeDelay)
  }

  package func service(until now: HostTime) {
    guard isDue(at: now) else { return }
    nextTime = nil
    guard MoSession.members.count < 2 else { return }
    // Members are also found without Avahi.
    let problem = SessionServer.shared.networkProblem
    Run.current.notice(Self.text(room, others: MoSession.otherRooms.map(\.name), problem: problem))
  }

  /// Returns the text of the notice, which suggests a room of `others` if its name is similar to `room`.
  ///
  /// Without a similar name, no room is suggested, since the user may intend a new room.
  ///
  /// - Parameter problem: the probable reason why no members are found; nil if no reason is known.
  package static func text(_ room: String, others: [String], problem: String? = nil) -> String {
    "no other member is in the room \(room) yet: \(problem ?? "you play alone")"
      + (similar(to: room, among: others).map { "; did you mean the room \($0)? --room \($0)" } ?? "")
  }

  /// Returns the name in `others` that is most similar to `room`, but not equal; nil if no name is similar.
  ///
  /// Capitals make no difference: `Lab` is similar to `lab`.
  package static func similar(to room: String, among others: [String]) -> String? {
    let names = others.filter { $0 != room }
    // Different capitals are not a likely mistake.
    let near = Spelling.nearest(to: room, among: names.map { $0.lowercased() })
    return names.first { $0.lowercased() == near }
  }
}
