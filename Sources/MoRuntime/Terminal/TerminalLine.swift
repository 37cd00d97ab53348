import CMoSystem
import Glibc

/// The rows at the bottom of the terminal that are drawn over and over: the meter, and what a program puts above it.
///
/// Messages scroll above them.
package enum TerminalLine {
  /// Whether standard error is a terminal that can be drawn on.
  package static var isAvailable: Bool {
    guard isatty(STDERR_FILENO) != 0 else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// Whether colours are wanted: see no-color.org.
  private static let hasColour = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true

  /// How much the terminal shows; the last column stays free, behind which a terminal begins a new row, and a row is left
  /// to messages.
  package static var room: TerminalSize {
    let room = ConsoleWriter.error.room
    return TerminalSize(columns: room.columns - 1, rows: room.rows - 1)
  }

  /// Draws blocks in place of those before; not while the terminal has still to take those before.
  package static func draw(_ blocks: [ScreenBlock]) {
    draw(ScreenBlock.rows(blocks, room.rows))
  }

  private static func draw(_ rows: ScreenRows) {
    momu_screen_open(STDERR_FILENO)
    ConsoleWriter.error.draw(rows, isKnown: momu_screen_take_stale() == 0, hasColour: hasColour)
  }

  /// Takes the rows away, if any are drawn.
  package static func clear() {
    ConsoleWriter.error.erase()
    momu_screen_restore()
  }
}
