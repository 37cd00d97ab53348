import CMoSystem
import Glibc
import MoProgram

/// The room at the top of a terminal, drawn over and over; what is said and typed goes on below it, and stays.
struct SessionScreen {
  private var room = TerminalRoom(columns: 1, rows: 1)
  private var height = 0

  /// Rows that are left to what is said and typed.
  private static let below = 4

  /// What puts a picture at the top; the cursor stays where somebody types.
  mutating func paint(_ picture: (_ most: Int) -> String) -> String {
    let rows = Int(momu_terminal_rows(STDOUT_FILENO))
    return paint(
      picture,
      in: TerminalRoom(columns: Int(momu_terminal_columns(STDOUT_FILENO)), rows: max(4, rows - Self.below)))
  }

  mutating func paint(_ picture: (_ most: Int) -> String, in new: TerminalRoom) -> String {
    // The picture ends with a line feed: what is below begins a line.
    let text = picture(max(1, new.rows - Self.besides))
    var lines = new.lines(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    lines = lines.map { $0 + "\u{1B}[K\n" }
    defer { (room, height) = (new, lines.count) }
    // Another width has put all in disorder.
    guard new == room else { return "\u{1B}[H\u{1B}[J" + lines.joined() }
    let more = lines.count - height
    // Below, all moves by as much as the picture grows.
    let make =
      more == 0 ? "" : "\u{1B}[\(min(height, lines.count) + 1);1H\u{1B}[\(abs(more))\(more > 0 ? "L" : "M")"
    let follow = more == 0 ? "" : "\u{1B}[\(abs(more))\(more > 0 ? "B" : "A")"
    return "\u{1B}7" + make + "\u{1B}[H" + lines.joined() + "\u{1B}8" + follow
  }

  /// Lines of the picture that are no member's.
  private static let besides = 4
}
