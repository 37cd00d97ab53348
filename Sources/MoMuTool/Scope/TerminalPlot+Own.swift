import CMoSystem
import Glibc

extension TerminalPlot {
  /// Returns the settings for a plot on standard output, with the given size or, if it is nil, the terminal's size.
  static func own(_ size: PictureSize?) -> TerminalPlot {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return TerminalPlot(
      columns: size?.width ?? Int(momu_terminal_columns(STDOUT_FILENO)),
      // The last row stays empty: a line break there would scroll the first row away.
      rows: size?.height ?? Int(momu_terminal_rows(STDOUT_FILENO)) - 1,
      isColoured: isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb",
      hasBraille: variable("TERM") != "linux")
  }
}
