import MoCore
import MoInstruments
import MoOrchestra

/// The stage view, readable from three metres: bar and beat, the next cue, this member's state.
package enum StagePicture {
  /// The largest height, in rows, of letters that change at each beat.
  ///
  /// With letters of at most this height, a terminal receives less than 2 kB a second.
  private static let mostChanging = 2 * BigText.height

  /// The key that shows or leaves the stage view in each program that plays in a room: Ctrl-V.
  ///
  /// In some of these programs, `v` without Ctrl plays a note.
  static let key = TerminalKey.character("\u{16}")
  /// The entry for `key` in the help for the keys.
  static let keyHelp = KeyHelp.Item("Ctrl-V", "stage view")

  /// Returns whether a program that plays in a room begins with the stage view (`--view stage`).
  static func isFirst(_ run: Run) -> Bool {
    run.markUsed("view")
    return run.options.view == "stage"
  }

  /// Returns the status line, and below it this member's state and the bar and beat in large letters.
  ///
  /// If there is room, the last row says how to leave the stage view.
  package static func blocks(
    _ facts: RoomFacts, columns: Int, leavesBy key: String = keyHelp.key
  ) -> [ScreenBlock] {
    let status = StatusLine.block(facts, columns: columns, most: 3)
    let (place, state) = (place(facts), state(facts))
    return [
      status,
      ScreenBlock(least: BigText.height, most: 200, priority: ScreenBlock.Priority.own) { rows in
        guard let state else {
          let beat = BigLine.largest(place, columns: columns, rows: min(rows, mostChanging), .bold)
          return beat.centred(columns, rows)
        }
        // Facts that need action have the larger half; without room for two lines of letters, all of it. Bar and beat
        // are in the status line, too.
        let lower = (rows - 1) / 2 / BigText.height * BigText.height
        let upper = lower > 0 ? rows - lower - 1 : rows
        let alarm = BigLine.first(of: state.texts, columns: columns, rows: upper, state.style)
        guard lower > 0 else { return alarm.centred(columns, upper) }
        let beat = BigLine.largest(
          place, columns: columns, rows: min(lower, mostChanging), .bold, noLargerThan: alarm)
        return alarm.centred(columns, upper) + [ScreenLine()] + beat.centred(columns, lower)
      },
      // Before the letters, which take all rows that are left.
      ScreenBlock(
        [ScreenLine("\(key) leaves the stage view", .faint)], priority: ScreenBlock.Priority.own + 1, least: 0
      ),
    ]
  }

  /// Returns the bar and the beat, both from 1, such as `12.3`; without a rhythm, `no rhythm` or `joining`.
  private static func place(_ facts: RoomFacts) -> String {
    guard let position = facts.position else { return facts.hasArrived ? "no rhythm" : "joining" }
    return "\(position.bar).\(Int(position.beat) + 1)"
  }

  /// Returns the most important fact that needs the player's action, such as `muted` or a cue; nil for none.
  ///
  /// The result has the fact as texts of different lengths, for terminals that are too narrow for the first text in
  /// large letters.
  static func state(_ facts: RoomFacts) -> (texts: [String], style: TextStyle)? {
    if facts.isSilenced { return (["silenced"], [.bold, .red]) }
    if !facts.muted.isEmpty { return (["muted"], [.bold, .red]) }
    if facts.cutOff != nil { return (["no contact"], [.bold, .red]) }
    if let cue = facts.cue { return (texts(cue), [.bold, .yellow]) }
    guard facts.gates.contains(.notes) else { return nil }
    return (["notes closed", "closed"], [.bold, .yellow])
  }

  /// Returns a cue in texts of different lengths, such as `come in: the bridge 3`, `come in 3`, `in 3` and `cue 3`.
  private static func texts(_ cue: RoomFacts.Cue) -> [String] {
    let head = String(cue.words.prefix { $0 != ":" })
    let word = ["get ready": "ready", "come in": "in", "leave off": "out"][head]
    let words = [cue.words, head, word].compactMap(\.self)
    guard let beats = cue.beats else { return words + ["cue now"] }
    return (words + ["cue"]).map { "\($0) \(beats)" }
  }
}

/// A text in large letters, or in plain letters if there is no room for large letters.
private struct BigLine {
  let lines: [ScreenLine]
  /// The width of a pixel of the letters, in columns; 0 for plain letters.
  let across: Int

  /// The pixels between two words, if the usual space is too wide.
  private static let narrowGap = 3

  /// A number that grows with the size of the letters; 0 for plain letters.
  private var size: Int { across * lines.count }

  /// Returns a text in the largest letters that fit in the given columns and rows.
  static func largest(_ text: String, columns: Int, rows: Int, _ style: TextStyle) -> BigLine {
    let lines = BigText.lines(text, columns: columns, rows: rows, style)
    let isLarge = rows >= BigText.height && BigText.fits(text, columns: columns)
    let usual = BigLine(lines: lines, across: isLarge ? (lines.first?.width ?? 0) / max(1, width(text)) : 0)
    guard let narrow = narrow(text, columns: columns, rows: rows, style), narrow.size > usual.size else {
      return usual
    }
    return narrow
  }

  /// Returns a text in the largest letters that fit and are no larger than the letters of `other`.
  static func largest(
    _ text: String, columns: Int, rows: Int, _ style: TextStyle, noLargerThan other: BigLine
  ) -> BigLine {
    let rows = min(rows, other.across > 0 ? other.lines.count : 1)
    let line = largest(text, columns: columns, rows: rows, style)
    guard line.size > other.size else { return line }
    return largest(text, columns: min(columns, other.across * width(text)), rows: rows, style)
  }

  /// Returns the first of several texts that fits in large letters; without such a text, the first in plain letters.
  static func first(of texts: [String], columns: Int, rows: Int, _ style: TextStyle) -> BigLine {
    let lines = texts.map { largest($0, columns: columns, rows: rows, style) }
    return lines.first { $0.across > 0 } ?? lines.first ?? BigLine(lines: [], across: 0)
  }

  /// Returns the rows of the text in the middle of the given columns and rows.
  func centred(_ columns: Int, _ rows: Int) -> [ScreenLine] {
    let margin = max(0, (columns - (lines.map(\.width).max() ?? 0)) / 2)
    let above = max(0, (rows - lines.count) / 2)
    let blank = ScreenLine()
    let indent = ScreenLine(String(repeating: " ", count: margin))
    return Array(
      (Array(repeating: blank, count: above) + lines.map { indent + $0 }
        + Array(repeating: blank, count: max(0, rows - above - lines.count))).prefix(rows))
  }

  /// Returns the width of a text in the smallest large letters, in columns.
  private static func width(_ text: String) -> Int {
    // With room for every width, a pixel has two columns.
    (BigText.lines(text, columns: .max, rows: BigText.height).first?.width ?? 0) / 2
  }

  /// Returns a text in the largest letters that fit, with narrow gaps between the words; nil if no letters fit.
  private static func narrow(_ text: String, columns: Int, rows: Int, _ style: TextStyle) -> BigLine? {
    let words = text.split(separator: " ").map { String($0) }
    guard words.count > 1, words.allSatisfy({ BigText.fits($0, columns: .max) }) else { return nil }
    let widths = words.map { width($0) }
    let total = widths.reduce(narrowGap * (words.count - 1), +)
    for factor in stride(from: rows / BigText.height, through: 1, by: -1) {
      for across in [2 * factor, factor] where total * across <= columns {
        let gap = ScreenLine(String(repeating: " ", count: narrowGap * across))
        var lines = [ScreenLine](repeating: ScreenLine(), count: factor * BigText.height)
        for (index, word) in words.enumerated() {
          let letters = BigText.lines(word, columns: widths[index] * across, rows: lines.count, style)
          for (row, line) in letters.enumerated() where row < lines.count {
            lines[row] += index > 0 ? gap + line : line
          }
        }
        return BigLine(lines: lines, across: across)
      }
    }
    return nil
  }
}
