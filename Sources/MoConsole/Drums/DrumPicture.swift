/// A drawing of a drum machine for the terminal: its rows, the cursor and the playhead.
package struct DrumPicture {
  /// The position in the drum board that keys act on; row, step and pattern are counted from 0.
  package struct Cursor: Equatable, Sendable {
    var row = 0
    var step = 0
    var pattern = 0

    package init(row: Int = 0, step: Int = 0, pattern: Int = 0) {
      (self.row, self.step, self.pattern) = (row, step, pattern)
    }
  }

  let board: DrumBoard
  let transport: RhythmTransport
  let cursor: Cursor
  /// The pattern and the step that are audible now; nil while nothing plays.
  let playhead: (pattern: Int, step: Int)?
  let columns: Int
  /// The facts of the room, which has the rhythm; nil for a drum machine with its own rhythm, which can pause.
  let facts: RoomFacts?

  package init(
    board: DrumBoard, transport: RhythmTransport, cursor: Cursor, playhead: (pattern: Int, step: Int)?,
    columns: Int, facts: RoomFacts? = nil
  ) {
    (self.board, self.transport, self.cursor, self.playhead, self.columns, self.facts) = (
      board, transport, cursor, playhead, columns, facts
    )
  }

  /// The number of the board's rows that go before the title, the ruler and the keys in a small terminal.
  private static let leastRows = 3

  /// The parts of the drawing, from top to bottom; if rows must be left out, the cursor's row stays.
  package var blocks: [ScreenBlock] {
    let rows = (0..<board.layout.rows).map { row in ScreenLine.lines(self.row(row)).first ?? ScreenLine() }
    return [
      ScreenBlock(title, priority: ScreenBlock.Priority.own - 1),
      ScreenBlock([ScreenLine(ruler)], priority: ScreenBlock.Priority.level, least: 0),
      .list(rows, priority: ScreenBlock.Priority.own, needed: [cursor.row], least: Self.leastRows),
      ConsoleKey.help(keys, facts).block(columns: columns, hasPage: false),
    ]
  }

  /// The keys, the most important first.
  private var keys: [ConsoleKey] {
    let isInRoom = facts != nil
    let first = [ConsoleKey("x", "on/off"), ConsoleKey("space", "start/stop", .start)]
    let next = [
      ConsoleKey("m", "\(board.isMuted(row: cursor.row) ? "unmute" : "mute") \(name(cursor.row))"),
      ConsoleKey("arrows", "move"),
      ConsoleKey("1-9", "force"), ConsoleKey("+ -", "tempo", .rhythm),
    ]
    let last = [
      ConsoleKey(", .", "swing"), ConsoleKey("< >", "level"), ConsoleKey("s", "sound"),
      ConsoleKey("n", "pattern"), ConsoleKey("a", "chain"), ConsoleKey("u", "undo"), ConsoleKey("c", "clear"),
    ]
    return first + (isInRoom ? [ConsoleKey("!", "silence")] : []) + next
      + (isInRoom ? [] : [ConsoleKey("p", "pause")]) + last
  }

  /// The largest number of steps that fit side by side: whole beats of four steps, 4 to 32 steps.
  private var most: Int { max(4, min((columns - Self.margin) / 5 * 4, 32)) }

  /// The indices of the visible steps: all steps, or, if not all fit, the section that contains the cursor.
  private var steps: Range<Int> {
    let first = cursor.step / most * most
    return first..<min(first + most, board.layout.steps)
  }

  /// The width of a step on the screen, in columns: 3 if at most 16 steps are visible and all fit, otherwise 1.
  private var width: Int { steps.count <= 16 && columns >= Self.margin + 13 * steps.count / 4 ? 3 : 1 }

  private var title: [ScreenLine] {
    let state =
      switch transport.state() {
      case .playing: "▶ runs"
      case .paused: "‖ paused"
      case .stopped: "■ stopped"
      }
    let swing = "swing \(Int((board.swing * 100).rounded())) %"
    let pattern = "pattern \(cursor.pattern + 1) of \(board.layout.patterns)"
    let chain = board.chain.count > 1 ? ", \(board.chain.count) in the chain" : ""
    let tempo = "\(Int(transport.tempo().rounded())) bpm"
    var facts = [state, tempo, swing, pattern + chain]
    var line: ScreenLine { ScreenLine(facts.joined(separator: "   ")) }
    // In a narrow terminal the pattern stays: no other line shows it.
    while line.width > columns, facts.count > 1 { facts.remove(at: facts.count - 2) }
    return [line.cut(to: columns)]
  }

  /// The line above the steps, with the numbers of the beats and a mark over the audible step.
  private var ruler: String {
    var line = String(repeating: " ", count: Self.margin)
    for step in steps {
      if step % 4 == 0 { line += " " }
      let isHere = playhead?.step == step && playhead?.pattern == cursor.pattern
      let mark = isHere ? "▼" : step % 4 == 0 ? "\((step / 4) % 10 + 1)" : " "
      line += padded(mark)
    }
    return line
  }

  /// Returns the name of a row's sound.
  private func name(_ row: Int) -> String { board.sound(row: row).name }

  private func row(_ row: Int) -> String {
    let name = name(row)
    let sign = board.isMuted(row: row) ? "muted" : "\(Int((board.level(row: row) * 100).rounded()))"
    let isHere = row == cursor.row
    var line = (isHere ? "▸" : " ") + name + String(repeating: " ", count: 9 - name.utf8.count)
    line += String(repeating: " ", count: 5 - sign.utf8.count) + sign
    for step in steps {
      if step % 4 == 0 { line += " " }
      let mark = Self.mark(board[row, step, pattern: cursor.pattern])
      guard isHere, step == cursor.step else {
        line += padded(mark)
        continue
      }
      line += width == 3 ? "[\(mark)]" : "\u{1B}[7m\(mark)\u{1B}[27m"
    }
    return line
  }

  /// The columns to the left of the steps: the cursor, a sound's name in 9 columns, and the level or `muted`.
  private static let margin = 15

  private func padded(_ mark: String) -> String { width == 3 ? " \(mark) " : mark }

  /// Returns the symbol for a velocity: for silence, soft, medium (from 0.6) or hard (from 0.95).
  private static func mark(_ force: Float) -> String {
    force <= 0 ? "·" : force < 0.6 ? "○" : force < 0.95 ? "●" : "◉"
  }
}
