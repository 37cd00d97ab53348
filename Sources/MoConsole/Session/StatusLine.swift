import MoCore
import MoMu
import MoSessionCore

/// A status line about the room, the same in every program: facts that need action, then the music, then the rest.
///
/// The facts are side by side. In a narrow terminal, the facts take more rows. If there are not enough rows, the facts
/// get shorter texts. If the shorter texts do not fit, the least important facts are left out. No word is cut.
package enum StatusLine {
  /// A fact as text, in several lengths.
  package struct Item: Equatable {
    package var long: String
    /// The shortest text, for a terminal with too little space for all facts; "" leaves the fact out.
    package var short: String
    /// A shorter text for a terminal that is too narrow to show `long` in one row; nil for none.
    package var medium: String?
    var style: TextStyle = []

    init(_ long: String, medium: String? = nil, short: String? = nil, _ style: TextStyle = []) {
      (self.long, self.medium, self.short, self.style) = (long, medium, short ?? long, style)
    }

    /// Returns `medium` if it fits in one row and `long` does not; otherwise `long`.
    func text(columns: Int) -> String {
      guard let medium, TerminalSize.width(long) > columns, TerminalSize.width(medium) <= columns else {
        return long
      }
      return medium
    }
  }

  private static let gap = "   "

  /// Returns the status line as a block of a picture: as many rows as the facts need, at least a row.
  ///
  /// - Parameters:
  ///   - most: the largest number of rows.
  ///   - namesOthers: whether the status line has the names of the other members, if the terminal has 60 columns or
  ///     more; for a picture without a list of members.
  package static func block(
    _ facts: RoomFacts, columns: Int, most: Int = 5, namesOthers: Bool = false
  ) -> ScreenBlock {
    // In a narrow terminal the names would take the row of something that the player uses.
    let namesOthers = namesOthers && columns >= 60
    let wanted = rows(items(facts, namesOthers), columns)
    return ScreenBlock(least: 1, most: min(wanted.count, most), priority: ScreenBlock.Priority.status) {
      rows in
      lines(facts, columns: columns, rows: rows, namesOthers: namesOthers)
    }
  }

  /// Returns the status line in the given number of columns and at most the given number of rows.
  package static func lines(
    _ facts: RoomFacts, columns: Int, rows most: Int, namesOthers: Bool = false
  ) -> [ScreenLine] {
    var items = items(facts, namesOthers)
    // From the least important on, words are shortened and facts left out until all have room.
    var shortened = items.count
    while rows(items, columns).count > most {
      if shortened > 0 {
        shortened -= 1
        (items[shortened].long, items[shortened].medium) = (items[shortened].short, nil)
      } else {
        break
      }
    }
    // A fact that has no room is left out; a less important fact may still have room.
    var shown: [Item] = []
    for item in items where shown.isEmpty || rows(shown + [item], columns).count <= most {
      shown.append(item)
    }
    return Array(rows(shown, columns).prefix(most))
  }

  /// Returns the facts in their order, side by side, in as many rows as they need.
  private static func rows(_ items: [Item], _ columns: Int) -> [ScreenLine] {
    var rows: [ScreenLine] = []
    for item in items where !item.long.isEmpty {
      let line = ScreenLine(item.text(columns: columns), item.style)
      if let last = rows.last, last.width + gap.count + line.width <= columns {
        rows[rows.count - 1] += ScreenLine(gap) + line
      } else {
        rows += line.wrapped(to: columns)
      }
    }
    return rows
  }

  // MARK: the facts as text, the most important first

  package static func items(_ facts: RoomFacts, _ namesOthers: Bool = false) -> [Item] {
    alarms(facts) + music(facts) + place(facts, namesOthers)
  }

  private static func alarms(_ facts: RoomFacts) -> [Item] {
    var items: [Item] = []
    if facts.isSilenced {
      let caller = facts.silencedBy.map { " by \($0)" } ?? ""
      let end =
        facts.isSilencedAlone || facts.mayLead
        ? "; :unpanic ends it" : facts.opener.map { "; \($0) can end it" } ?? ""
      items.append(
        Item(
          "SILENCED\(caller): \(facts.wayOutOfSilence)",
          medium: "SILENCED\(caller)\(end)", short: "SILENCED\(caller)",
          [.bold, .inverse, .red]))
    }
    if !facts.muted.isEmpty {
      items.append(
        Item("MUTED: \(sections(facts.muted))", short: "MUTED", [.bold, .inverse, .red]))
    }
    if let seconds = facts.cutOff {
      let time = "\(Int(min(seconds, 1e6))) s"
      let error = facts.bound.map { "off ≤ \(number($0)) ms" } ?? "beat may be off"
      items.append(
        Item(
          "no contact for \(time); \(facts.offBy)", medium: "no contact for \(time); \(error)",
          short: "no contact \(time); \(error)", [.bold, .red]))
    }
    if let cue = facts.cue {
      items.append(
        Item(
          "▶ \(cue.words)" + (cue.beats.map { ", in \(counted($0, "beat"))" } ?? ", now"),
          short: "▶ \(cue.words) \(cue.beats.map { "\($0)" } ?? "now")", [.bold, .yellow]))
    }
    items += gates(facts)
    if facts.underruns > 0 {
      items.append(Item(counted(facts.underruns, "underrun"), [.bold, .red]))
    }
    return items
  }

  /// Returns the closed gates, and which members may open them; the gates for notes come first.
  private static func gates(_ facts: RoomFacts) -> [Item] {
    let opener = facts.opener.map { "; \($0) can open it" } ?? ""
    let mayOpen = facts.mayLead || facts.needsBaton
    // If this member may set gates itself, a command opens the gate.
    let command = facts.needsBaton ? ":baton, then :gates democratic" : ":gates democratic"
    let own = facts.cutOff == nil && mayOpen ? command : nil
    let way = own.map { "; \($0) opens it" } ?? opener
    let shortWay = (own ?? facts.openers.first.map { "ask \($0)" }).map { ": \($0)" } ?? ""
    let ordered = facts.gates.filter { $0 != .conducting } + facts.gates.filter { $0 == .conducting }
    return ordered.map { gate in
      switch gate {
      case .notes:
        return Item(
          "your notes gate is closed: no other machine plays your notes\(way)",
          medium: "notes gate closed\(shortWay)", short: "notes gate closed", [.bold, .yellow])
      case .notesTo(let names):
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return Item(
          "your notes gate to \(names.prefix(3).joined(separator: ", "))\(more) is closed\(opener)",
          short: "notes gate closed to \(names.count)", .yellow)
      case .notesBut(let name):
        return Item("your notes gate is open to \(name) only", short: "notes to \(name) only")
      case .conducting:
        guard !mayOpen else {
          return Item(
            "your rhythm gate is closed\(way)", medium: "rhythm gate closed\(shortWay)",
            short: "rhythm gate closed")
        }
        return Item(
          "your rhythm gate is closed: you may not conduct\(way)", medium: "you may not conduct\(shortWay)",
          short: "you may not conduct")
      }
    }
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
    } else if let name = facts.lostConductor {
      items.append(Item("♪ \(name), not heard"))
    } else if facts.position != nil, facts.cutOff == nil {
      // A member that is cut off cannot tell.
      let mayTake = facts.mayLead || facts.needsBaton
      items.append(
        Item(
          mayTake ? "no conductor: :baton takes the baton" : "no conductor", short: "no conductor", .yellow))
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
    let own = [facts.numberedName ?? "", facts.instrument].filter { !$0.isEmpty }
    if !(own + facts.sections).isEmpty {
      let long = (own + (facts.sections.isEmpty ? [] : [sections(facts.sections)])).joined(separator: ", ")
      // Without the word "in", a section reads like a second instrument.
      let lists = [own, facts.sections].filter { !$0.isEmpty }.map { $0.joined(separator: ", ") }
      let short = own.isEmpty ? long : lists.joined(separator: " in ")
      items.append(Item("you: \(long)", short: "you: \(short)"))
    }
    if facts.instrument.isEmpty, !facts.remark.isEmpty {
      let head = String(facts.remark.prefix { $0 != ":" })
      items.append(Item(facts.remark, medium: head, short: head))
    }
    let room = "\(facts.isLocked ? "locked room" : "room") \(facts.room)"
    let count = facts.others.count + 1
    // A member that is cut off hears none of the others, but they may all be there.
    items.append(
      facts.cutOff != nil
        ? Item(room, short: facts.isLocked ? "locked \(facts.room)" : facts.room)
        : Item(
          "\(room), \(counted(count, "member"))",
          short: "\(count) in \(facts.isLocked ? "locked \(facts.room)" : facts.room)"))
    if facts.membersBeside > 0 {
      items.append(
        Item(
          "another part of the room plays (\(counted(facts.membersBeside, "member"))): type :join to follow it",
          short: "another part plays", .yellow))
    }
    if namesOthers, facts.cutOff == nil {
      items.append(
        facts.others.isEmpty ? Item("no other member") : Item("with \(facts.others.listed)", short: ""))
    }
    return items
  }

  private static func sections(_ names: [String]) -> String {
    names.isEmpty ? "" : "section\(names.count > 1 ? "s" : "") \(names.joined(separator: ", "))"
  }

  /// Returns a number as text with up to three decimals, fewer for larger numbers: 0.004, 0.12, 3.5, 120.
  ///
  /// The result is `?` for NaN, infinity and magnitudes of 1e9 or more.
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
