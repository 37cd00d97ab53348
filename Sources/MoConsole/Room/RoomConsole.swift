import MoCore
import MoInstruments
import MoOrchestra

/// The terminal as the front of a program that plays in a room: who is here, what the program says, and its keys.
///
/// ```swift
/// RoomConsole.open(help: "space strikes") { key, now in
///   if key == " " { MoSession.strike(0.8, to: .everyone, at: .next(.sixteenth)) }
/// }
/// ```
///
/// Enter starts the room's rhythm, or stops it if this member conducts; + − b m ! J C and digits do what they do at
/// `ConductorConsole`. Ctrl-T types a line for other players. `:` types a command of `momu session`, and B Q A L G begin one (give, cue, section, level, gates). `v`
/// shows the stage view, `?` all keys. Other keys are the program's. Where there is no terminal, and while nobody else is in the room, it types by itself what
/// `byItself` says, a key each half second, so that something is heard.
///
/// - Thread: keys come one at a time, on the input thread.
public enum RoomConsole {
  /// Shows the room, and hands keys to the program.
  ///
  /// - Parameters:
  ///   - help: what its keys do, in one line.
  ///   - tune: the keys that are typed where nobody can.
  ///   - songs: what is rehearsed: `n` and `N` go on to the next song and back, and Enter starts it.
  ///   - picture: a line or two of its own.
  ///   - keys: does what a key says; what it throws is shown.
  /// - Thread: the main thread, in the set-up, after `MoSession.join`.
  public static func open(
    help: String, byItself tune: String = "", songs: SongList? = nil,
    picture: @escaping @Sendable () -> String = { "" },
    keys: @escaping @Sendable (Character, HostTime) throws -> Void
  ) {
    let run = Run.current
    let desk = RoomFront(help, songs, isStage: run.options.view == "stage", picture, keys)
    run.open(desk)
    desk.prompt.listen(run)
    StatusPrinter.open(run)
    let room = MoSession.room ?? ""
    if !run.isOffline { try? run.input.add(AloneNotice(room, from: run.clock.now)) { _ in } }
    guard !tune.isEmpty, run.isOffline || !KeyboardTerminal.isAvailable else { return }
    try? run.input.add(DemoPlayer(desk, tune, from: run.clock.now)) { _ in }
  }

  /// The same with something that the program keeps, and changes as keys come.
  public static func open<State: Sendable>(
    _ state: State, help: String, byItself tune: String = "",
    picture: @escaping @Sendable (State) -> String = { _ in "" },
    keys: @escaping @Sendable (inout State, Character, HostTime) throws -> Void
  ) {
    let kept = Locked(state)
    open(
      help: help, byItself: tune, picture: { picture(kept.withLock { $0 }) },
      keys: { key, now in try kept.withLock { try keys(&$0, key, now) } })
  }
}

extension MoRoom {
  /// The member that comes after oneself where all stand by name, who is the first for the last; oneself where nobody
  /// else is here.
  public static var neighbour: SessionMember? {
    let members = MoSession.members
    guard let place = members.firstIndex(where: \.isMe) else { return members.first }
    return members[(place + 1) % members.count]
  }

  /// Whether nobody else is in the room.
  public static var isAlone: Bool { MoSession.members.count < 2 }
}

extension RemotePart {
  /// A player on an instrument, for what others send it; notes then end by themselves.
  ///
  /// ```swift
  /// let echo = try RemotePart.open(on: harp)
  /// MoSession.onMelody { heard in echo.play(Melody(heard.played), like: heard) }
  /// ```
  ///
  /// - Throws: where there is no thread.
  public static func open(on handle: InstrumentHandle) throws -> RemotePart {
    let player = RemotePart(handle) { MoSession.beat }
    try Run.current.input.add(player) { _ in }
    MoSession.onEvent { event in
      if case .left(let id, _) = event { player.release(id) }
    }
    return player
  }
}
