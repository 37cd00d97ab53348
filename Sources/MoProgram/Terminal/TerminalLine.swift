import Glibc
import MoRealTime

/// The lines at the bottom of the terminal that are drawn over and over: the meter, and what a program puts above it.
///
/// Messages clear them first, so that they stand on lines of their own and these are drawn again below.
package enum TerminalLine {
  /// How many lines are drawn.
  private static let drawn = Guarded(0)

  /// Whether standard error is a terminal that can be drawn on.
  package static var isAvailable: Bool {
    guard isatty(STDERR_FILENO) != 0 else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// Draws the lines anew.
  package static func draw(_ text: String) {
    drawn.withLock { lines in
      writeAll(erasing(lines) + text, to: STDERR_FILENO)
      lines = text.utf8.count { $0 == UInt8(ascii: "\n") } + 1
    }
  }

  /// Takes the lines away, if any are drawn.
  package static func clear() {
    drawn.withLock { lines in
      if lines > 0 { writeAll(erasing(lines), to: STDERR_FILENO) }
      lines = 0
    }
  }

  /// To the start of the first of so many lines, and everything from there on gone.
  private static func erasing(_ lines: Int) -> String {
    lines > 1 ? "\r\u{1B}[\(lines - 1)A\u{1B}[J" : "\r\u{1B}[2K"
  }
}
