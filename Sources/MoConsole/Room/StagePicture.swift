import MoCore
import MoInstruments
import MoOrchestra

/// The stage view, readable from three metres: bar and beat, the next cue, this member's state.
enum StagePicture {
  /// The most rows of the letters that change at each beat, so that a terminal receives less than 2 kB a second.
  private static let mostChanging = 2 * BigText.height

  /// - Parameter facts: the facts of the room.
  static func blocks(_ facts: RoomFacts, columns: Int) -> [ScreenBlock] {
    let status = StatusLine.block(facts, columns: columns)
    let (place, state) = (place(facts), state(facts))
    return [
      status,
      ScreenBlock(least: 1, most: 200, priority: ScreenBlock.Priority.own) { rows in
        guard let state else { return centred(place, .bold, columns, rows, letters: mostChanging) }
        // Facts that need action have the larger half.
        let lower = min(rows - 1, max(1, rows / 2))
        let upper = rows - lower
        return centred(state.text, state.style, columns, upper)
          + (lower > 0 ? centred(place, .bold, columns, lower, letters: mostChanging) : [])
      },
    ]
  }

  /// The bar and the beat.
  private static func place(_ facts: RoomFacts) -> String {
    guard let position = facts.position else { return facts.hasArrived ? "stop" : "wait" }
    return "\(position.bar).\(Int(position.beat) + 1)"
  }

  private static func state(_ facts: RoomFacts) -> (text: String, style: TextStyle)? {
    if facts.isSilenced { return ("silenced", [.bold, .red]) }
    if !facts.muted.isEmpty { return ("muted", [.bold, .red]) }
    if facts.cutOff != nil { return ("no contact", [.bold, .red]) }
    guard let cue = facts.cue else { return nil }
    return (cue.beats.map { "\(cue.words) \($0)" } ?? cue.words, [.bold, .yellow])
  }

  /// Returns block letters in the middle of the given number of rows.
  ///
  /// - Parameter letters: the most rows of the letters.
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
