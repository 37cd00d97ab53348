/// The keys of a drum machine's grid, and what each does.
///
/// | key | does |
/// |---|---|
/// | arrows | move the cursor |
/// | x, Enter | switches the slot on or off |
/// | 1 … 9 | sets how hard it is struck, in tenths |
/// | space | starts, or stops |
/// | p | pauses, or goes on |
/// | + − | five beats a minute faster or slower |
/// | , . | less or more swing |
/// | m | silences the row, or lets it sound |
/// | < > | the row softer or louder |
/// | s | the row's next sound |
/// | n | the next pattern |
/// | a | adds the pattern to the end of the chain |
/// | u | takes back the last change |
/// | c | clears the pattern |
struct DrumKeys {
  static let help = [
    "arrows move   x on/off   1-9 force   space start/stop   p pause   + - tempo",
    ", . swing   m mute   < > level   s sound   n pattern   a chain   u undo   c clear",
  ]

  let board: DrumBoard
  private(set) var cursor = DrumPicture.Cursor()
  /// How much of an arrow's three bytes has come: ESC, then [ or O.
  private var escape = 0

  init(_ board: DrumBoard) { self.board = board }

  /// Does what the next byte from the terminal says.
  mutating func take(_ byte: UInt8) {
    if byte == 0x1B {
      escape = 1
      return
    }
    if escape == 1 {
      escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? 2 : 0
      if escape == 2 { return }
    }
    if escape == 2 {
      escape = 0
      move(byte)
      return
    }
    press(byte)
  }

  private mutating func move(_ arrow: UInt8) {
    let (rows, steps) = (board.layout.rows, board.layout.steps)
    switch arrow {
    case UInt8(ascii: "A"): cursor.row = (cursor.row + rows - 1) % rows
    case UInt8(ascii: "B"): cursor.row = (cursor.row + 1) % rows
    case UInt8(ascii: "C"): cursor.step = (cursor.step + 1) % steps
    case UInt8(ascii: "D"): cursor.step = (cursor.step + steps - 1) % steps
    default: break
    }
  }

  private mutating func press(_ key: UInt8) {
    let (row, rhythm) = (cursor.row, board.rhythm)
    switch key {
    case UInt8(ascii: "x"), 10, 13: board.toggle(row: row, step: cursor.step, pattern: cursor.pattern)
    case UInt8(ascii: "1")...UInt8(ascii: "9"):
      board[row, cursor.step, pattern: cursor.pattern] = Float(key - UInt8(ascii: "0")) / 10
    case UInt8(ascii: " "): if rhythm.state == .stopped { rhythm.start() } else { rhythm.stop() }
    case UInt8(ascii: "p"): if rhythm.state == .paused { rhythm.resume() } else { rhythm.pause() }
    case UInt8(ascii: "+"), UInt8(ascii: "="): rhythm.setTempo(rhythm.tempo + 5)
    case UInt8(ascii: "-"), UInt8(ascii: "_"): rhythm.setTempo(rhythm.tempo - 5)
    case UInt8(ascii: ","): board.swing -= 0.05
    case UInt8(ascii: "."): board.swing += 0.05
    case UInt8(ascii: "m"): board.setMuted(!board.isMuted(row: row), row: row)
    case UInt8(ascii: "<"): board.setLevel(board.level(row: row) - 0.1, row: row)
    case UInt8(ascii: ">"): board.setLevel(board.level(row: row) + 0.1, row: row)
    case UInt8(ascii: "s"): board.setSound(nextSound(after: board.sound(row: row)), row: row)
    case UInt8(ascii: "n"): cursor.pattern = (cursor.pattern + 1) % board.layout.patterns
    case UInt8(ascii: "a"): board.chain += [cursor.pattern]
    case UInt8(ascii: "u"): board.undo()
    case UInt8(ascii: "c"): board.clear(pattern: cursor.pattern)
    default: break
    }
  }

  private func nextSound(after sound: DrumSound) -> DrumSound {
    DrumSound(rawValue: sound.rawValue + 1) ?? .kick
  }
}
