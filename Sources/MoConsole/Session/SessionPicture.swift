import MoCore
import MoMu
import MoSessionCore

/// A drawing of the room for the terminal: the status line, the members, the sections.
package enum SessionPicture {
  /// Returns the picture of the room as it is now; empty before a room was joined.
  ///
  /// - Parameter facts: the facts of the room now; nil before a room was joined.
  package static func now(_ facts: RoomFacts? = RoomFacts.now(), columns: Int) -> [ScreenBlock] {
    guard let facts else { return [] }
    return SessionServer.shared.read { core, now in
      var blocks = [StatusLine.block(facts, columns: columns)]
      let shared = core.sharedInstallations.prefix(2).flatMap {
        ScreenLine($0.line(core, at: now)).wrapped(to: columns)
      }
      if !shared.isEmpty { blocks.append(ScreenBlock(shared, priority: ScreenBlock.Priority.list)) }
      // The results of a check replace the members for a while.
      if let since = core.sinceCheck(at: now), since < checkShown, let check = RoomCheck(core, at: now) {
        let lines = ScreenLine.lines(check.text(isShort: true)).flatMap { $0.wrapped(to: columns, indent: 4) }
        return blocks + [.blank, .list(lines)]
      }
      blocks += [
        .blank,
        members(
          core.roster(at: now), columns: columns, cutOff: facts.cutOff,
          missing: facts.cutOff == nil ? [] : core.missing(at: now), conductor: core.state.conductor,
          gates: core.state.policy.gates),
      ]
      let sections = SectionPicture.lines(core, at: now, columns: columns)
      if !sections.isEmpty { blocks += [.blank, .list(sections)] }
      let marks = MarkPicture.lines(core.marks, columns: columns)
      if !marks.isEmpty { blocks.append(.list(marks)) }
      return blocks
    } ?? []
  }

  /// Seconds, from the start of a check for a concert, for which its results replace the list of members.
  private static let checkShown = 30.0

  /// Returns a row for each member, sorted by name.
  ///
  /// If not all rows fit, the rows of this member and the conductor stay.
  ///
  /// - Parameters:
  ///   - cutOff: the seconds without contact to any other member; nil while there is contact.
  ///   - missing: the members that have disappeared; a member that disappeared during the loss of contact keeps its
  ///     row.
  ///   - conductor: the last known conductor; it is marked while there is no contact.
  ///   - gates: the room's gates; a member whose notes no other member hears is marked.
  package static func members(
    _ members: [SessionMember], columns: Int, cutOff: Double? = nil, missing: [UnconfirmedMember] = [],
    conductor: MemberID? = nil, gates: GateTable = .democratic
  ) -> ScreenBlock {
    let members = members.inNaturalOrder(of: \.displayName)
    let missing = missing.filter { !$0.name.isEmpty && Double($0.silentFor) <= cutOff ?? 0 }
    let names = members.map(\.displayName) + missing.map(\.name)
    let widest = max(4, names.map { TerminalSize.width($0) }.max() ?? 4)
    let plays = members.map { TerminalSize.width($0.plays) }.max() ?? 0
    // The words about a member that is not heard must fit, and are wider than an instrument with its activity.
    let beside = cutOff != nil ? unheardWidth : plays > 0 ? min(plays, 12) + 8 : 0
    let width = min(widest, max(4, columns - 4 - beside))
    let hasPlaysBeside = 4 + width + 1 + min(plays, 12) + unheardWidth <= columns
    // A release is shown if the room has several of that program.
    let releases = Dictionary(grouping: members, by: \.identity.program).mapValues { members in
      Set(members.map(\.identity.release)).count
    }
    let receivers = Set(members.map(\.identity.installation))
    func isClosed(_ member: SessionMember) -> Bool {
      guard gates != .democratic else { return false }
      let sender = member.identity.installation
      let isHeard = receivers.contains { $0 != sender && gates.weight(.notes, from: sender, to: $0) > 0 }
      return !isHeard && receivers != [sender]
    }
    func isConductor(_ member: SessionMember) -> Bool {
      member.isConductor || cutOff != nil && member.identity.member == conductor
    }
    func head(_ name: String, isConductor: Bool, _ style: TextStyle = []) -> ScreenLine {
      ScreenLine("  \(isConductor ? "♪" : " ") ") + ScreenLine(name, style).cut(to: width).padded(to: width)
    }
    let rows = members.map { member in
      let style: TextStyle = member.isMe ? .bold : []
      let isUnheard = cutOff != nil && !member.isMe
      var row = head(member.displayName, isConductor: isConductor(member), style)
      if plays > 0, !isUnheard || hasPlaysBeside {
        row += ScreenLine(" ") + ScreenLine(member.plays).cut(to: 12).padded(to: min(plays, 12))
        if !isUnheard { row += ScreenLine(" \(activity(member.activity))") }
      }
      var words = isUnheard ? sync(member, isWide: columns >= 60, cutOff) : []
      if member.isMe { words.append(ScreenLine("you")) }
      if member.isRecording { words.append(ScreenLine("records")) }
      if member.isIgnored { words.append(ScreenLine("ignored", .yellow)) }
      if isClosed(member) { words.append(ScreenLine("notes closed", .yellow)) }
      if member.missed > 0 { words.append(ScreenLine("missed \(member.missed)", .yellow)) }
      if member.report.loss > 0.005 {
        words.append(ScreenLine("loss \(StatusLine.number(Double(member.report.loss) * 100)) %", .yellow))
      }
      if !isUnheard { words += sync(member, isWide: columns >= 60, cutOff) }
      let (program, release) = (member.identity.program, member.identity.release)
      if releases[program, default: 1] > 1 {
        words.append(ScreenLine("\(program) \(release)", .faint))
      } else if releases.count > 1 {
        words.append(ScreenLine(program, .faint))
      }
      for word in words where row.width + 2 + word.width <= columns { row += ScreenLine("  ") + word }
      return row
    }
    let gone = missing.map { member in
      head(member.name, isConductor: member.member == conductor)
        + ScreenLine("  not heard for \(Int(min(cutOff ?? 0, 1e6))) s", .yellow)
    }
    let needed =
      members.indices.filter { members[$0].isMe || isConductor(members[$0]) }
      + missing.indices.filter { missing[$0].member == conductor }.map { rows.count + $0 }
    return .list(rows + gone, needed: needed, columns: columns)
  }

  /// The largest width of the words `not heard for 900 s` with the gap before them, in columns.
  private static let unheardWidth = 21

  /// Returns a bar, five columns wide, for a member's amount of movement, 0…1, such as `▮▮▯▯▯`.
  private static func activity(_ level: Float) -> String {
    let filled = Int((5 * max(0, min(level, 1))).rounded(.up))
    return String(repeating: "▮", count: filled) + String(repeating: "▯", count: 5 - filled)
  }

  /// The smallest error of a clock that is shown, in milliseconds.
  private static let leastError = 0.001

  /// Returns the words about a member's clock, or that the member is not heard.
  private static func sync(_ member: SessionMember, isWide: Bool, _ cutOff: Double?) -> [ScreenLine] {
    if let cutOff, !member.isMe {
      return [ScreenLine("not heard for \(Int(min(cutOff, 1e6))) s", .yellow)]
    }
    // Its bound would be 0, but the other members may have agreed on another clock.
    if member.isKeeper, cutOff != nil { return [ScreenLine("own clock, not compared", .yellow)] }
    if member.isKeeper { return [ScreenLine(member.isMe ? "keep the clock" : "keeps the clock", .faint)] }
    let (likely, most) = (member.report.symmetricMilliseconds, member.report.boundMilliseconds)
    // A member that still keeps its own clock reports 0.
    guard most.isFinite, most > 0 else { return [ScreenLine("not yet in time", .yellow)] }
    // A bound that is rounded to 0 would not be a bound.
    let words = [("±", likely, " ms"), ("(at most ", most, " ms)")].map { before, error, after in
      ScreenLine(before + StatusLine.number(max(leastError, Double(error))) + after, .faint)
    }
    return isWide ? words : [words[0]]
  }
}

/// A drawing of sections for the terminal: each row has a section's number, name, level and members' states.
package enum SectionPicture {
  /// Returns the row of each section of the room; empty if the room has no sections.
  package static func lines(
    _ core: SessionCore, at now: HostTime, columns: Int, order: SectionOrder = .shared
  ) -> [ScreenLine] {
    let (names, levels) = (order.sorted(core.sections), core.state.policy.sections)
    let width = min(names.map { TerminalSize.width($0) }.max() ?? 0, max(4, columns / 3))
    return names.enumerated().map { index, name in
      let places = (try? core.sectionRoster(name, at: now)) ?? []
      // The key of this digit mutes it: see `ConductorConsole`.
      let head =
        ScreenLine(index < 9 ? "  \(index + 1) " : "    ") + ScreenLine(name).cut(to: width).padded(to: width)
      return head + ScreenLine("  ")
        + line(
          level: levels.level(name), isMuted: levels.isMuted(name), places, columns: columns - head.width - 2)
    }
  }

  /// Returns the text after a section's name, such as ` 50 %  Cyd LOST, Ada, Bo silent for 12 s and 2 more`.
  ///
  /// The text has the section's level, then its members. Lost and late members come first, since the last names may not
  /// fit.
  static func line(level: Float, isMuted: Bool, _ places: [SectionPlace], columns: Int) -> ScreenLine {
    let percent = "\(Int((level * 100).rounded()))"
    let loud = String(repeating: " ", count: max(0, 3 - percent.count)) + percent + " %"
    var line = isMuted ? ScreenLine("muted", .bold) : ScreenLine(loud)
    let faults: [SectionStatus] = [.lost, .late]
    let ordered =
      faults.flatMap { fault in places.filter { $0.status == fault } }
      + places.filter { !faults.contains($0.status) }
    for (index, place) in ordered.enumerated() {
      let left = places.count - index
      let word = ScreenLine(index == 0 ? "  " : ", ") + words(place)
      let more = " and \(left - 1) more"
      guard line.width + word.width + (left > 1 ? more.count : 0) <= columns else {
        line += ScreenLine(index == 0 ? "  \(counted(left, "member"))" : " and \(left) more", .faint)
        break
      }
      line += word
    }
    return line
  }

  private static func words(_ place: SectionPlace) -> ScreenLine {
    // A member that has not been here since this program started has no name.
    let name = ScreenLine(place.name ?? "unknown (\(String(place.installation.description.prefix(4))))")
    switch place.status {
    case .playing: return name
    case .silent(let seconds):
      return name + ScreenLine(" silent for \(Int(min(seconds, 1e6))) s", .faint)
    case .late: return name + ScreenLine(" LATE", [.bold, .yellow])
    case .left: return name + ScreenLine(" left", .faint)
    case .lost: return name + ScreenLine(" LOST", [.bold, .red])
    }
  }
}

/// The order of a room's sections on this machine, in which they have their numbers.
///
/// A new section comes last, so that the numbers of the other sections stay: a conductor mutes sections by their numbers.
///
/// - Thread: any.
package final class SectionOrder: Sendable {
  /// The order of the sections of the joined room.
  package static let shared = SectionOrder()
  private let names = Locked<[String]>([])

  package init() {}

  /// Returns the sections in their order.
  package func sorted(_ sections: [String]) -> [String] {
    names.withLock { names in
      // The shared data is empty for a moment while parts of a room join; the numbers stay.
      guard !sections.isEmpty else { return [] }
      names = names.filter(sections.contains) + sections.filter { !names.contains($0) }
      return names
    }
  }
}

/// A drawing of rehearsal marks for the terminal: a row for each song.
package enum MarkPicture {
  /// Returns lines such as `  marks   Take Five: bars 12, 40 and 3 more`; empty if there are no marks.
  package static func lines(_ marks: [RehearsalMark], columns: Int) -> [ScreenLine] {
    var songs: [(song: String, bars: [Int])] = []
    for mark in marks {
      if songs.last?.song == mark.song {
        songs[songs.count - 1].bars.append(mark.bar)
      } else {
        songs.append((mark.song, [mark.bar]))
      }
    }
    return songs.enumerated().map { index, entry in
      let word = entry.bars.count == 1 ? "bar" : "bars"
      let head = ScreenLine(index == 0 ? "  marks  " : "         ")
      let song =
        entry.song.isEmpty
        ? ScreenLine() : ScreenLine(entry.song).cut(to: max(4, columns / 3)) + ScreenLine(": ")
      return head + song + bars(entry.bars, word, columns: columns - head.width - song.width)
    }
  }

  private static func bars(_ bars: [Int], _ word: String, columns: Int) -> ScreenLine {
    var text = word
    for (index, bar) in bars.enumerated() {
      let next = text + (index == 0 ? " " : ", ") + "\(bar)"
      let left = bars.count - index
      let more = left > 1 ? " and \(left - 1) more" : ""
      guard (next + more).count <= columns || index == 0 else {
        return ScreenLine(text + " and \(left) more")
      }
      text = next
    }
    return ScreenLine(text)
  }

  /// Returns the notice that a member has set or removed a mark, such as `Ada marks bar 12 of Take Five`.
  package static func sentence(_ mark: RehearsalMark, isSet: Bool, by name: String) -> String {
    "\(name) \(isSet ? "marks" : "removes the mark at") \(mark)".printable
  }
}
