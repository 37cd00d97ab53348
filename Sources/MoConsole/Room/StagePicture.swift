import MoCore
import MoInstruments
import MoOrchestra

/// The stage view, readable from three metres: bar and beat, the next cue, this member's state.
enum StagePicture {
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
    run.obey("view")
    return run.options.view == "stage"
  }

  /// Returns the status line, and below it this member's state and the bar and beat in large letters.
  static func blocks(_ facts: RoomFacts, columns: Int) -> [ScreenBlock] {
    let status = StatusLine.block(facts, columns: columns, most: 3)
    let (place, state) = (place(facts), state(facts))
    return [
      status,
      ScreenBlock(least: 1, most: 200, priority: ScreenBlock.Priority.own) { rows in
        guard let state else { return centred(place, .bold, columns, rows, letters: mostChanging) }
        let text = [state.text, state.short].first { BigText.fits($0, columns: columns) } ?? state.text
        // Facts that need action have the larger half; without room for two lines of letters, all of it. Bar and beat
        // are in the status line, too.
        let lower = rows / 2 >= BigText.height ? rows / 2 : 0
        let upper = rows - lower
        return centred(text, state.style, columns, upper)
          + (lower > 0 ? centred(place, .bold, columns, lower, letters: mostChanging) : [])
      },
    ]
  }

  /// Returns the bar and the beat, both from 1, such as `12.3`; without a rhythm, `no rhythm` or `joining`.
  private static func place(_ facts: RoomFacts) -> String {
    guard let position = facts.position else { return facts.hasArrived ? "no rhythm" : "joining" }
    return "\(position.bar).\(Int(position.beat) + 1)"
  }

  /// Returns the most important fact that needs the player's action, such as `muted` or a cue; nil for none.
  ///
  /// The result has the fact as `text`, and as `short` for a terminal that is too narrow for `text` in large letters.
  private static func state(_ facts: RoomFacts) -> (text: String, short: String, style: TextStyle)? {
    func state(_ text: String, short: String? = nil, _ style: TextStyle) -> (String, String, TextStyle) {
      (text, short ?? text, style)
    }
    if facts.isSilenced { return state("silenced", [.bold, .red]) }
    if !facts.muted.isEmpty { return state("muted", [.bold, .red]) }
    if facts.cutOff != nil { return state("no contact", short: "cut off", [.bold, .red]) }
    if let cue = facts.cue {
      let beats = cue.beats.map { "\($0)" } ?? "now"
      return state(
        cue.beats == nil ? cue.words : "\(cue.words) \(beats)", short: "cue \(beats)", [.bold, .yellow])
    }
    return facts.gates.contains(.notes) ? state("not heard", short: "unheard", [.bold, .yellow]) : nil
  }

  /// Returns a text in large letters, in the middle of the given columns and rows.
  ///
  /// - Parameter letters: the largest height of the letters, in rows.
  private static func centred(
    _ text: String, _ style: TextStyle, _ columns: Int, _ rows: Int, letters: Int = .max
  ) -> [ScreenLine] {
    let lines = BigText.lines(text, columns: columns, rows: min(rows, letters), style)
    let margin = max(0, (columns - (lines.map(\.width).max() ?? 0)) / 2)
    let above = max(0, (rows - lines.count) / 2)
    let blank = ScreenLine()
    let indent = ScreenLine(String(repeating: " ", count: margin))
    return Array(
      (Array(repeating: blank, count: above) + lines.map { indent + $0 }
        + Array(repeating: blank, count: max(0, rows - above - lines.count))).prefix(rows))
  }
}
