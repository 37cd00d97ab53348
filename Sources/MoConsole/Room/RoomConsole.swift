import MoCore
import MoMu
import MoOrchestra

/// The terminal interface of a program that plays in a room: members, messages and keys.
///
/// ```swift
/// RoomConsole.open(help: "space strikes") { key, now in
///   if key == " " { MoSession.strike(0.8, to: .everyone, at: .next(.sixteenth)) }
/// }
/// ```
///
/// Enter starts the room's rhythm, or stops it if this member conducts. The keys + − m ! J C and digits act as in
/// `ConductorConsole`. `b` takes the baton, or asks the conductor for the baton. `T` taps the tempo, `M` sets a mark,
/// `n` and `N` select a song. Ctrl-T begins a line for other players. `:` begins a command of `momu session`. The
/// keys B Q A L S G begin the commands give, cue, section, level, solo and gates. `v` shows the stage view, and `?`
/// shows all keys. Other keys go to the program.
///
/// If there is neither a terminal nor another member, the console itself types the keys of the parameter `tune` of
/// `open`, one key each half second, so that there is always sound.
///
/// - Thread: keys come one at a time, on the `mo-input` thread, which reads the terminal.
public enum RoomConsole {
  /// Shows the room, and passes keys to the program.
  ///
  /// - Parameters:
  ///   - help: a line that describes the program's keys that act now; evaluated for each picture.
  ///   - tune: the keys that the console types by itself if there is neither a terminal nor another member.
  ///   - songs: the rehearsal's songs: `n` and `N` select the next and previous song, and Enter starts the song.
  ///   - picture: a function that returns one or two lines of the program, which the console shows.
  ///   - keys: a function that executes a key; the console shows the errors that this function throws.
  /// - Thread: the main thread, in the set-up, after `MoSession.join`.
  public static func open(
    help: @autoclosure @escaping @Sendable () -> String, byItself tune: String = "", songs: SongList? = nil,
    picture: @escaping @Sendable () -> String = { "" },
    keys: @escaping @Sendable (Character, HostTime) throws -> Void
  ) {
    let run = Run.current
    let console = RoomFront(help, songs, isStage: StagePicture.isFirst(run), picture, keys)
    run.open(console)
    console.prompt.listen(run)
    StatusPrinter.open(run)
    let room = MoSession.room ?? ""
    if !run.isOffline { try? run.input.add(AloneNotice(room, from: run.clock.now)) { _ in } }
    guard !tune.isEmpty, run.isOffline || !KeyboardTerminal.isAvailable else { return }
    try? run.input.add(DemoPlayer(console, tune, from: run.clock.now)) { _ in }
  }

  /// Shows the room, and passes each key to the program together with a state of the program.
  ///
  /// The function `keys` may change the state, and `picture` returns lines that describe the state.
  ///
  /// `state` is the state at the start. The other parameters are those of `open` without a state.
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
