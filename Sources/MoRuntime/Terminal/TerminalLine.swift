import CMoSystem
import Glibc

/// The rows at the bottom of the terminal that are drawn again and again: a program's picture, and the level meter
/// below the picture.
///
/// Messages scroll above them.
package enum TerminalLine {
  /// Whether standard error is a terminal that can be drawn on.
  package static var isAvailable: Bool {
    guard isatty(STDERR_FILENO) != 0 else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// Whether to use colours: false if `NO_COLOR` is set (no-color.org).
  private static let hasColour = getenv("NO_COLOR").map { $0.pointee == 0 } ?? true

  /// The size of the area in which rows can be drawn.
  ///
  /// The last column stays free, since a terminal starts a new row after it. One row is left for messages.
  package static var room: TerminalSize {
    let room = ConsoleWriter.error.room
    return TerminalSize(columns: room.columns - 1, rows: room.rows - 1)
  }

  /// Draws blocks in place of the blocks drawn before; draws nothing while earlier text still waits to be accepted.
  package static func draw(_ blocks: [ScreenBlock]) {
    draw(ScreenBlock.rows(blocks, room.rows))
  }

  private static func draw(_ rows: ScreenRows) {
    momu_screen_open(STDERR_FILENO)
    ConsoleWriter.error.draw(rows, isKnown: momu_screen_take_stale() == 0, hasColour: hasColour)
  }

  /// Erases the rows, if any are drawn.
  package static func clear() {
    ConsoleWriter.error.erase()
    momu_screen_restore()
  }
}
