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

  /// Draws blocks in place of the blocks drawn before.
  ///
  /// Draws nothing while earlier text still waits to be accepted, and while this program is in the background.
  package static func draw(_ blocks: [ScreenBlock]) {
    draw(ScreenBlock.rows(blocks, room.rows))
  }

  private static func draw(_ rows: ScreenRows) {
    momu_screen_open(STDERR_FILENO)
    // In the background, the rows would cover the line that the user types for the shell.
    guard KeyboardTerminal.isOurs else { return ConsoleWriter.error.forget() }
    ConsoleWriter.error.draw(rows, isKnown: momu_screen_take_stale() == 0, hasColour: hasColour)
  }

  /// Erases the rows, if any are drawn.
  package static func clear() {
    if KeyboardTerminal.isOurs { ConsoleWriter.error.erase() } else { ConsoleWriter.error.forget() }
    momu_screen_restore()
  }
}

/// The size of a terminal.
package struct TerminalSize: Equatable, Sendable {
  /// The number of columns, at least 1; `rows` is also at least 1.
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }

  /// Returns the number of columns that a text takes up in a terminal.
  package static func width(_ text: String) -> Int {
    // Nearly all texts are ASCII.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + min(2, width($1)) }
  }

  /// Returns the number of columns that a character takes up; if terminals differ, the largest number.
  static func width(_ character: Character) -> Int {
    if character.isASCII { return 1 }
    return character.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The blocks of characters that are wide by Unicode's East Asian Width.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
  ]
}
