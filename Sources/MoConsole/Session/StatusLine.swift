import MoCore
import MoMu
import MoSessionCore

/// The room in a status line, the same in every program: facts that need action, the music, the rest.
///
/// Facts are side by side. If the terminal is narrow, they first take more rows, then shorter words, and last the least
/// important facts are left out. No word is cut.
package enum StatusLine {
  /// A fact as text.
  struct Item: Equatable {
    var long: String
    var short: String
    var style: TextStyle = []

    init(_ long: String, short: String? = nil, _ style: TextStyle = []) {
      (self.long, self.short, self.style) = (long, short ?? long, style)
    }
  }

  private static let gap = "   "

  /// Returns the block of a picture, with as many rows as the facts need, one at least.
  ///
  /// - Parameter namesOthers: whether it includes the others' names, since the picture has no list of them.
  package static func block(_ facts: RoomFacts, columns: Int, namesOthers: Bool = false) -> ScreenBlock {
    let wanted = rows(items(facts, namesOthers), columns)
    return ScreenBlock(least: 1, most: min(wanted.count, 5), priority: ScreenBlock.Priority.status) { rows in
      lines(facts, columns: columns, rows: rows, namesOthers: namesOthers)
    }
  }

  /// Returns the facts in the given number of columns and at most the given number of rows.
  package static func lines(
    _ facts: RoomFacts, columns: Int, rows most: Int, namesOthers: Bool = false
  ) -> [ScreenLine] {
    var items = items(facts, namesOthers)
    // From the least important on, words are shortened and facts left out until all have room.
    var shortened = items.count
    while rows(items, columns).count > most {
      if shortened > 0 {
        shortened -= 1
        items[shortened].long = items[shortened].short
      } else if items.count > 1 {
        items.removeLast()
      } else {
        break
      }
    }
    return Array(rows(items, columns).prefix(most))
  }

  /// Returns the facts in rows, in order.
  private static func rows(_ items: [Item], _ columns: Int) -> [ScreenLine] {
    var rows: [ScreenLine] = []
    for item in items {
      let line = ScreenLine(item.long, item.style)
      if let last = rows.last, last.width + gap.count + line.width <= columns {
        rows[rows.count - 1] += ScreenLine(gap) + line
      } else {
        rows += line.wrapped(to: columns)
      }
    }
    return rows
  }

  // MARK: the facts as text, the most important first

  static func items(_ facts: RoomFacts, _ namesOthers: Bool = false) -> [Item] {
    alarms(facts) + music(facts) + place(facts, namesOthers)
  }

  private static func alarms(_ facts: RoomFacts) -> [Item] {
    var items: [Item] = []
    if facts.isSilenced {
      items.append(
        Item(
          "SILENCED\(facts.silencedBy.map { " by \($0)" } ?? ""): a start of the rhythm or :unpanic ends it",
          short: "SILENCED",
          [.bold, .inverse, .red]))
    }
    if !facts.muted.isEmpty {
      let names = facts.muted.joined(separator: ", ")
      items.append(Item("MUTED (\(names))", short: "MUTED", [.bold, .inverse, .red]))
    }
    if let seconds = facts.cutOff {
      let time = "no contact for \(Int(min(seconds, 1e6))) s"
      items.append(
        Item(
          time + (facts.bound.map { "; off by at most \(number($0)) ms" } ?? ""),
          short: time, [.bold, .red]))
    }
    if let cue = facts.cue {
      items.append(
        Item(
          "▶ \(cue.words)" + (cue.beats.map { ", in \(counted($0, "beat"))" } ?? ", now"),
          short: "▶ \(cue.words) \(cue.beats.map { "\($0)" } ?? "now")", [.bold, .yellow]))
    }
    for gate in facts.gates {
      switch gate {
      case .notes:
        items.append(
          Item(
            "your notes gate is closed: no member hears you", short: "notes gate closed", [.bold, .yellow]))
      case .notesTo(let names):
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        items.append(
          Item(
            "your notes gate to \(names.prefix(3).joined(separator: ", "))\(more) is closed",
            short: "notes gate closed to \(names.count)", .yellow))
      case .notesBut(let name):
        items.append(Item("your notes gate is open to \(name) only", short: "notes to \(name) only"))
      case .conducting:
        items.append(
          Item("your rhythm gate is closed: you may not conduct", short: "may not conduct"))
      }
    }
    if facts.underruns > 0 {
      items.append(Item(counted(facts.underruns, "underrun"), [.bold, .red]))
    }
    return items
  }

  private static func music(_ facts: RoomFacts) -> [Item] {
    var items: [Item] = []
    if let position = facts.position, let tempo = facts.tempo {
      let beat = Int(position.beat)
      let lights = (0..<position.meter.beatsPerBar).map { $0 == beat ? "●" : "○" }.joined()
      items.append(
        Item(
          "\(lights) bar \(position.bar) beat \(beat + 1)", short: "bar \(position.bar) beat \(beat + 1)",
          .bold))
      items.append(Item("\(number(tempo)) bpm \(position.meter)", short: "\(Int(tempo.rounded())) bpm"))
    } else {
      items.append(Item(facts.hasArrived ? "no rhythm" : "joining the room"))
    }
    if facts.isConductor {
      items.append(Item("♪ you conduct", .bold))
    } else if let name = facts.conductor {
      items.append(Item("♪ \(name) conducts", short: "♪ \(name)"))
    } else if facts.position != nil {
      items.append(Item("no conductor", .yellow))
    }
    if facts.level < 1, facts.muted.isEmpty {
      items.append(
        Item(
          "your section is at \(Int((facts.level * 100).rounded())) %",
          short: "\(Int((facts.level * 100).rounded())) %"))
    }
    return items
  }

  private static func place(_ facts: RoomFacts, _ namesOthers: Bool) -> [Item] {
    var items: [Item] = []
    let sections = facts.sections.joined(separator: ", ")
    if !facts.instrument.isEmpty || !sections.isEmpty {
      let own = [facts.instrument, sections.isEmpty ? "" : "in \(sections)"].filter { !$0.isEmpty }
      items.append(Item("you: \(own.joined(separator: " "))", short: own.joined(separator: " ")))
    }
    let room = "\(facts.isLocked ? "locked room" : "room") \(facts.room)"
    items.append(Item("\(room), \(counted(facts.others.count + 1, "member"))", short: room))
    if facts.membersBeside > 0 {
      items.append(
        Item(
          "another part of the room plays (\(counted(facts.membersBeside, "member"))): type :join to follow it",
          short: "another part plays", .yellow))
    }
    if namesOthers {
      let names = facts.others
      let more = names.count > 5 ? " and \(names.count - 5) more" : ""
      items.append(
        names.isEmpty
          ? Item("no other member") : Item("with \(names.prefix(5).joined(separator: ", "))\(more)"))
    }
    return items
  }

  /// Returns a number with at least two significant digits: 0.004, 0.12, 3.5, 120.
  package static func number(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e9 else { return "?" }
    let digits = abs(number) >= 100 ? 0 : abs(number) >= 1 ? 1 : abs(number) >= 0.1 ? 2 : 3
    let scale = [1, 10, 100, 1000][digits]
    let whole = Int((abs(number) * Double(scale)).rounded())
    let rest = String(whole % scale)
    let sign = number < 0 && whole > 0 ? "-" : ""
    return digits == 0 || whole % scale == 0
      ? "\(sign)\(whole / scale)"
      : "\(sign)\(whole / scale).\(String(repeating: "0", count: digits - rest.count))\(rest)"
  }
}
