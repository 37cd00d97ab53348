import Glibc

/// The lines at the bottom of the terminal that are drawn over and over: the meter, and what a program puts above it.
///
/// Messages clear them first, so that they stand on lines of their own and these are drawn again below.
package enum TerminalLine {
  /// Whether standard error is a terminal that can be drawn on.
  package static var isAvailable: Bool {
    guard isatty(STDERR_FILENO) != 0 else { return false }
    return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
  }

  /// Draws the lines anew; not where the terminal has still to take those before.
  package static func draw(_ text: String) { Outlet.error.draw(text) }

  /// Takes the lines away, if any are drawn.
  package static func clear() { Outlet.error.erase() }
}
