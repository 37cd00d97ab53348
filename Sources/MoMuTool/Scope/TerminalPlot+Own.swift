import CMoSystem
import Glibc

extension TerminalPlot {
  /// Returns the plot settings for standard output, with the typed size if there is one.
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
