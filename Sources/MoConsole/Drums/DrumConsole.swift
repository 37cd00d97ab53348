import MoCore
import MoInstruments
import MoMIDI
import MoMu
import MoOrchestra

/// The terminal interface of a drum machine: the grid with its moving playhead, and keys to play it.
///
/// | key | does |
/// |---|---|
/// | arrows | move the cursor |
/// | x, Enter | switches the step on or off |
/// | 1 … 9 | sets the step's velocity, in tenths |
/// | space | starts or stops the rhythm |
/// | p | pauses or resumes the rhythm; not in a room |
/// | ! | silences all members of the room |
/// | + − | makes the tempo five beats per minute faster or slower |
/// | , . | decreases or increases the swing |
/// | m | mutes or unmutes the row |
/// | < > | makes the row softer or louder |
/// | s | gives the row the next sound |
/// | n | shows the next pattern |
/// | a | adds the shown pattern to the end of the chain of patterns that play |
/// | u | undoes the last change |
/// | c | clears the pattern |
///
/// - Thread: any but the audio thread's callback.
public final class DrumConsole: Console {
  private let board: DrumBoard
  private let transport: RhythmTransport
  /// Whether the rhythm can pause; a room's rhythm cannot.
  private let canPause: Bool
  private let cursor = Locked(DrumPicture.Cursor())

  package init(_ board: DrumBoard, _ transport: RhythmTransport? = nil) {
    self.board = board
    self.transport = transport ?? RhythmTransport(board.rhythm)
    canPause = transport == nil
  }

  /// Shows a drum board above the level meter, and reads keys if there is a terminal.
  ///
  /// - Thread: the main thread, in the set-up.
  public static func open(_ board: DrumBoard) { Run.current.open(DrumConsole(board)) }

  package func picture(at now: HostTime, columns: Int) -> [ScreenBlock] {
    DrumPicture(
      board: board, transport: transport, cursor: cursor.withLock { $0 }, playhead: playhead(at: now),
      columns: columns, facts: canPause ? nil : RoomFacts.now() ?? RoomFacts()
    ).blocks
  }

  package func handleKey(_ key: TerminalKey, at now: HostTime) {
    if let key = DrumKey(key) { cursor.withLock { execute(key, &$0) } }
  }

  private func execute(_ key: DrumKey, _ cursor: inout DrumPicture.Cursor) {
    let (row, layout) = (cursor.row, board.layout)
    switch key {
    case .move(let rows, let steps):
      cursor.row = (row + rows + layout.rows) % layout.rows
      cursor.step = (cursor.step + steps + layout.steps) % layout.steps
    case .toggle: board.toggle(row: row, step: cursor.step, pattern: cursor.pattern)
    case .velocity(let velocity): board[row, cursor.step, pattern: cursor.pattern] = velocity
    case .start: if transport.state() == .stopped { transport.start() } else { transport.stop() }
    case .pause: if transport.state() == .paused { transport.resume() } else { transport.pause() }
    case .silence:
      guard !canPause else { return }
      do { try MoSession.panic() } catch { MoLog.log(.notice, "\(error)") }
    case .tempo(let more): transport.setTempo(transport.tempo() + more)
    case .swing(let more): board.swing += more
    case .mute: board.setMuted(!board.isMuted(row: row), row: row)
    case .level(let more): board.setLevel(board.level(row: row) + more, row: row)
    case .sound: board.setSound(DrumSound(rawValue: board.sound(row: row).rawValue + 1) ?? .kick, row: row)
    case .pattern: cursor.pattern = (cursor.pattern + 1) % layout.patterns
    case .chain: board.chain += [cursor.pattern]
    case .undo: board.undo()
    case .clear: board.clear(pattern: cursor.pattern)
    }
  }

  /// Returns the pattern and the step that are audible now; nil while the rhythm is stopped, and before its first step.
  ///
  /// If the board's newest step is not audible yet, because it still waits in the sound card, the result is the step
  /// before.
  private func playhead(at now: HostTime) -> (pattern: Int, step: Int)? {
    guard transport.state() != .stopped, let tick = board.ticks.last else { return nil }
    return tick.time <= now ? (tick.pattern, tick.step) : board.place(ofStep: max(0, tick.index - 1))
  }
}

extension DrumConsole {
  /// Shows a drum board that all members of the room share, and plays it on the room's rhythm.
  ///
  /// `--room` names the room. Without a room, the board is local and starts its own rhythm. In a room, space starts
  /// the rhythm for all members, and stops it if this member conducts.
  ///
  /// - Throws: `SessionError`; the errors of `MoAudio.follow`.
  /// - Thread: the main thread, in the set-up.
  public static func openTogether(_ board: DrumBoard) throws {
    guard MoRoom.isNamed else {
      open(board)
      if try !MoMIDI.syncIfAsked(board.rhythm) { board.rhythm.start() }
      return
    }
    try MoAudio.follow(try MoRoom.join(startKey: "space"))
    MoSession.setPlays("drums")
    Run.current.open(DrumConsole(board, .room))
    // Gates do not close the shared board.
    MoRoom.open(hasKeys: false, sendsNotes: false)
    try board.share()
    try MoRoom.tellActivity()
  }
}

/// The action of a key in a `DrumConsole`.
enum DrumKey: Equatable {
  /// A move of the cursor, `rows` down and `steps` to the right; negative numbers move it up and left.
  case move(rows: Int, steps: Int)
  case toggle
  /// The new velocity of the step at the cursor, 0.1 … 0.9.
  case velocity(Float)
  case start
  case pause
  case silence
  /// A change of the tempo, in beats per minute; negative if the rhythm becomes slower.
  case tempo(Double)
  case swing(Float)
  case mute
  case level(Float)
  case sound
  case pattern
  case chain
  case undo
  case clear

  /// Creates the action of a key; nil if the key has no action.
  init?(_ key: TerminalKey) {
    switch key {
    case .up: self = .move(rows: -1, steps: 0)
    case .down: self = .move(rows: 1, steps: 0)
    case .right: self = .move(rows: 0, steps: 1)
    case .left: self = .move(rows: 0, steps: -1)
    case .character("x"), .character("\n"), .character("\r"): self = .toggle
    case .character(" "): self = .start
    case .character("p"): self = .pause
    case .character("!"): self = .silence
    case .character("+"), .character("="): self = .tempo(5)
    case .character("-"), .character("_"): self = .tempo(-5)
    case .character(","): self = .swing(-0.05)
    case .character("."): self = .swing(0.05)
    case .character("m"): self = .mute
    case .character("<"): self = .level(-0.1)
    case .character(">"): self = .level(0.1)
    case .character("s"): self = .sound
    case .character("n"): self = .pattern
    case .character("a"): self = .chain
    case .character("u"): self = .undo
    case .character("c"): self = .clear
    case .character(let letter):
      guard let digit = letter.wholeNumberValue, digit > 0 else { return nil }
      self = .velocity(Float(digit) / 10)
    default: return nil
    }
  }
}
