import MoEnsemble
import MoTime

/// Big Mama's desk as text: no wider than a terminal's 79 columns and, with the level below it, no higher than 24 lines.
struct BigMamaPicture {
  static let help = """
    space start/stop   + − tempo   t baton   1…5 style   d b g k layers   ! silence
    ↑ ↓ choose   ← → volume   c all play to this machine alone, or to each other
    """

  /// Lines that fit above the meter.
  static let lines = 23
  private static let columns = 79
  private static let name = 16
  private static let instrument = 10

  let board: BigMamaBoard
  let house: BigMamaHouse
  let room: String
  /// Nil while no rhythm runs.
  let position: BarPosition?
  let tempo: Double?
  /// Whether all play to this machine alone.
  let isCentral: Bool
  let now: HostTime

  /// The lines, joined.
  var text: String {
    let head =
      [title, beat, "", styles, ""] + rows + ["", "  all together  \(Self.bar(house.activity(at: now)))", ""]
    let foot = ["", Self.help]
    let free = Self.lines - head.count - 3
    return (head + players(free) + foot).map { Self.cut($0) + "\n" }.joined()
  }

  private var title: String {
    let count = house.players.count
    let people = count == 0 ? "nobody plays yet: momu session gestures" : counted(count, "player")
    return
      "Big Mama   room \(room)   \(people)   \(isCentral ? "all play to this machine" : "gates as they were")"
  }

  private var beat: String {
    guard let position, let tempo else { return "■ no rhythm" }
    let lights = (0..<position.meter.beatsPerBar).map { Int(position.beat) == $0 ? "●" : "○" }.joined()
    return "▶ \(lights)  bar \(position.bar)  \(Int(tempo.rounded())) beats a minute"
  }

  private var styles: String {
    "  style   "
      + Style.all.enumerated().map { index, style in
        "\(index == board.style ? "▸" : " ")\(index + 1) \(style.name)"
      }.joined(separator: "  ")
  }

  private var rows: [String] {
    BigMamaBoard.Row.allCases.map { row in
      let state = row.layer == nil ? "   " : board.isOn[row.rawValue] ? "on " : "off"
      let volume = board.volumes[row.rawValue]
      return "\(row == board.chosen ? "▸" : " ") \(Self.padded("\(row)", 8))\(state)  \(Self.bar(volume))  "
        + ParameterText.number(volume)
    }
  }

  private func players(_ free: Int) -> [String] {
    let lines = house.players.map { player in
      "  \(Self.padded(player.name, Self.name))\(Self.padded(player.instrument, Self.instrument))"
        + Self.bar(house.activity(of: player, at: now), width: 10)
    }
    guard lines.count > free else { return lines }
    return lines.prefix(max(0, free - 1)) + ["  and \(lines.count - max(0, free - 1)) more"]
  }

  private static func bar(_ part: Float, width: Int = 20) -> String {
    let filled = Int((max(0, min(part, 1)) * Float(width)).rounded())
    return String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    let short = text.count > width - 1 ? String(text.prefix(width - 2)) + "…" : text
    return short.padded(to: width)
  }

  private static func cut(_ line: String) -> String {
    line.split(separator: "\n", omittingEmptySubsequences: false).map { String($0.prefix(columns)) }
      .joined(separator: "\n")
  }
}
