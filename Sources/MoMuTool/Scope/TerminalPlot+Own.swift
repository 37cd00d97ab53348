import CMoSystem
import Glibc

extension TerminalPlot {
  /// That of standard output; of another size where one was typed.
  static func own(_ size: PictureSize?) -> TerminalPlot {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
    return TerminalPlot(
      columns: size?.width ?? Int(momu_terminal_columns(STDOUT_FILENO)),
      // The last row stays free, so that the line's end there does not push the first out of sight.
      rows: size?.height ?? Int(momu_terminal_rows(STDOUT_FILENO)) - 1,
      isColoured: isTerminal && variable("NO_COLOR").isEmpty && variable("TERM") != "dumb",
      hasBraille: variable("TERM") != "linux")
  }
}
