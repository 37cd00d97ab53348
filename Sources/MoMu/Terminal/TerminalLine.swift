import Glibc
import Synchronization

/// The one line at the bottom of the terminal that is drawn over and over: the meter.
///
/// Messages clear it first, so that they stand on lines of their own and the meter is drawn again below.
enum TerminalLine {
  private static let isDrawn = Mutex(false)

  /// Whether standard error is a terminal that can be drawn on.
  static var isAvailable: Bool {
    guard isatty(STDERR_FILENO) != 0 else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// Draws the line anew.
  static func draw(_ text: String) {
    isDrawn.withLock { drawn in
      writeAll("\r\u{1B}[2K" + text, to: STDERR_FILENO)
      drawn = true
    }
  }

  /// Takes the line away, if one is drawn.
  static func clear() {
    isDrawn.withLock { drawn in
      if drawn { writeAll("\r\u{1B}[2K", to: STDERR_FILENO) }
      drawn = false
    }
  }
}
