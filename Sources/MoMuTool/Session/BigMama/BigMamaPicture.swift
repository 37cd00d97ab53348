import MoConsole
import MoCore
import MoOrchestra

/// A drawing of Big Mama's console for the terminal.
struct BigMamaPicture {
  private static let keys = [
    ConsoleKey("space", "start/stop", .start), ConsoleKey("!", "silence"),
    ConsoleKey("t", "take or ask for the baton", .baton), ConsoleKey("↑ ↓", "choose"),
    ConsoleKey("← →", "volume"), ConsoleKey("+ -", "tempo", .rhythm), ConsoleKey("1…5", "style"),
    ConsoleKey("d b g k", "on/off"), ConsoleKey(CommandPrompt.talkHelp, .talk),
    ConsoleKey("i I", "instrument of a player"),
    ConsoleKey("c", "all play to this machine alone, or to each other", .lead),
    ConsoleKey(CommandPrompt.commandHelp), ConsoleKey("Ctrl-C", "leaves"),
  ]

  private static let name = 16
  private static let instrument = 10

  let board: BigMamaSettings
  let roster: BigMamaRoster
  let facts: RoomFacts
  /// The gates as text, such as `all play to this machine`.
  let gates: String
  let now: HostTime
  let columns: Int

  /// The blocks of the console; if not all players fit, a line such as "and 4 more" gives the number of the others.
  var blocks: [ScreenBlock] {
    let activity = "all move  \(Self.bar(roster.activity(at: now), width: barWidth))"
    return [
      StatusLine.block(facts, columns: columns),
      ScreenBlock(
        ScreenLine("Big Mama   \(gates)").wrapped(to: columns), priority: ScreenBlock.Priority.level),
      ScreenBlock(ScreenLine(styles).wrapped(to: columns, indent: 9), priority: ScreenBlock.Priority.level),
      // Before the players, so that the settings stay in place however many players there are.
      .list(
        BigMamaSettings.Row.allCases.map { row($0) }, chosen: board.chosen.rawValue,
        short: row(board.chosen, isShort: true), columns: columns, priority: ScreenBlock.Priority.own + 1),
      ScreenBlock([ScreenLine("  " + activity)], priority: ScreenBlock.Priority.level, least: 0),
      roster.players.isEmpty
        ? ScreenBlock(hint, priority: ScreenBlock.Priority.own, least: hint.count)
        : .list(players, priority: ScreenBlock.Priority.own, needed: [board.player].compactMap(\.self)),
      ConsoleKey.help(Self.keys, facts).block(columns: columns, hasPage: false),
    ]
  }

  /// The width of a level bar such as `███··`, in character columns.
  ///
  /// With this width, a row with a level bar and the words "and 4 more" fits in 40 columns.
  private var barWidth: Int { max(4, min(columns - 36, 20)) }

  private var styles: String {
    guard columns >= 60 else {
      return "  style   ▸\(board.style + 1) \(Style.all[board.style].name)   1…\(Style.all.count) another"
    }
    return "  style   "
      + Style.all.enumerated().map { index, style in
        "\(index == board.style ? "▸" : " ")\(index + 1) \(style.name)"
      }.joined(separator: "  ")
  }

  /// Returns the line of a row: its name, whether it is on, and its volume; the short line has no level bar.
  private func row(_ row: BigMamaSettings.Row, isShort: Bool = false) -> ScreenLine {
    let state = row.layer == nil ? "   " : board.isOn[row.rawValue] ? "on " : "off"
    let volume = board.volumes[row.rawValue]
    let isChosen = row == board.chosen && board.player == nil
    let bar = isShort ? "" : Self.bar(volume, width: barWidth) + "  "
    return ScreenLine(
      "\(isChosen ? "▸" : " ") \("\(row)".padded(to: 8))\(state)  \(bar)\(Self.percent(volume))",
      isChosen ? .bold : [])
  }

  /// The command for players, while there are none.
  private var hint: [ScreenLine] {
    let command = ShellText.command("gestures", room: facts.room, isLocked: facts.isLocked)
    let long = ScreenLine("  no players yet: they type \(command)")
    return long.width <= columns
      ? [long] : ScreenLine("  no players: \(command)").wrapped(to: columns, indent: 4)
  }

  private var players: [ScreenLine] {
    let width = max(4, min(Self.name, columns - Self.instrument - 17))
    return roster.players.enumerated().map { index, player in
      let isChosen = index == board.player
      let name = ScreenLine(player.name).cut(to: width).padded(to: width + 1)
      return ScreenLine(isChosen ? "▸ " : "  ", .bold) + name
        + ScreenLine(player.instrument).cut(to: Self.instrument).padded(to: Self.instrument + 1)
        + ScreenLine(Self.bar(roster.activity(of: player, at: now), width: 6))
        + ScreenLine(" \(Self.percent(player.volume))")
    }
  }

  /// Returns a volume of 0…1 in per cent, in five columns.
  private static func percent(_ volume: Float) -> String {
    let number = "\(Int((volume * 100).rounded()))"
    return String(repeating: " ", count: max(0, 3 - number.count)) + number + " %"
  }

  private static func bar(_ part: Float, width: Int) -> String {
    let filled = Int((max(0, min(part, 1)) * Float(width)).rounded())
    return String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
  }
}
