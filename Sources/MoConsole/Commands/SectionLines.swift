import MoMu
import MoOrchestra

/// The commands of `momu session` with which a member leads the sections of a room, such as `mute drums`.
package enum SectionLines {
  /// The first words of the commands for sections.
  static let words = ["sections", "section", "unsection", "mute", "unmute", "solo", "level", "cue"]

  /// Executes a command for sections.
  ///
  /// - Parameters:
  ///   - word: the first word, one of `words`.
  ///   - rest: the other words.
  /// - Throws: `SessionLines.LineError`, `SessionRefusal`, `SessionError`.
  static func execute(_ word: String, _ rest: [String]) throws {
    let tail = rest.dropFirst().joined(separator: " ")
    switch word {
    case "section", "unsection":
      guard rest.count > 1 else {
        throw SessionLines.LineError.value(word, "a section and a member's name, such as \(word) drums Ada")
      }
      if word == "unsection", !MoSession.sections.contains(rest[0]) {
        throw SessionRefusal.unknownSection(rest[0], there: MoSession.sections)
      }
      try assign(rest[0], Array(rest.dropFirst()), word == "section")
    case "mute", "unmute":
      guard let section = rest.first else {
        throw SessionLines.LineError.value(word, "a section, such as \(word) drums")
      }
      try MoSession.setMuted(word == "mute", section: rest.count == 1 ? section : rest.joined(separator: " "))
    case "solo":
      let name = rest.joined(separator: " ")
      let sections = MoSession.sections
      guard name.isEmpty || sections.contains(name) else {
        throw SessionRefusal.unknownSection(name, there: sections)
      }
      // Unmute first, so that no section that should sound is muted.
      for section in sections where name.isEmpty || section == name {
        try MoSession.setMuted(false, section: section)
      }
      for section in sections where !name.isEmpty && section != name {
        try MoSession.setMuted(true, section: section)
      }
    case "level":
      guard rest.count > 1, let level = Float(rest[rest.count - 1]), (0...1).contains(level) else {
        throw SessionLines.LineError.value(
          word, "a section and a level from 0 to 1, such as level drums 0.5")
      }
      try MoSession.setLevel(level, ofSection: rest.dropLast().joined(separator: " "))
    case "cue": try cue(rest, tail)
    default:
      let lines = SessionServer.shared.read { core, now in
        SectionPicture.lines(core, at: now, columns: 1000).map(\.text)
      }
      MoLog.log(
        .notice,
        lines?.isEmpty == false
          ? lines?.joined(separator: "\n") ?? "" : "there are no sections: section drums Ada makes one")
    }
  }

  private static func cue(_ rest: [String], _ tail: String) throws {
    guard rest.count > 1 else {
      throw SessionLines.LineError.value(
        "cue", "a section or all, and in, out or words, such as cue drums in")
    }
    let aim: SessionAim = rest[0] == "all" ? .crowd(.others) : .section(rest[0])
    let signs: [String: SessionCue.Sign] = ["in": .comeIn, "out": .leaveOff]
    if let sign = signs[rest[1]] {
      // The words after the sign are a number of bars, or a text such as "the bridge".
      let words = rest.dropFirst(2).joined(separator: " ")
      let bars = Int(words)
      let moment = bars.map { cueMoment(bars: $0, MoSession.beat, at: Run.current.clock.now) }
      guard bars == nil || (1...mostBars).contains(bars ?? 0) else {
        throw SessionLines.LineError.value(
          "cue", "a number of bars from 1 to \(mostBars), such as cue drums in 2")
      }
      try MoSession.cue(sign, bars == nil ? words : "", to: aim, at: moment ?? .next(.bar))
    } else {
      try MoSession.cue(.ready, tail, to: aim)
    }
    MoLog.log(.notice, "cue to \(rest[0]): \(tail)")
  }

  /// The largest number of bars from a cue to its bar line.
  private static let mostBars = 8

  /// Returns the moment of a cue: the next bar line if `bars` is 1, the bar line after that if `bars` is 2, and so on.
  package static func cueMoment(bars: Int, _ beat: BeatClock, at now: HostTime) -> SessionMoment {
    guard bars > 1, let line = beat.time(of: .bar, from: now), let first = beat.beat(at: line),
      let meter = beat.position(at: line)?.meter
    else { return .next(.bar) }
    return .beat(first.rounded() + Double((bars - 1) * meter.beatsPerBar))
  }

  /// Assigns members to a section, or removes them from it if `isIn` is false.
  ///
  /// - Parameter words: the words of a single member's name, such as `Mary Ann`; or the names of several members, a
  ///   word each.
  private static func assign(_ section: String, _ words: [String], _ isIn: Bool) throws {
    let members = MoSession.members.map(\.displayName)
    // The words are the name of a member, or each of them is.
    let whole = words.joined(separator: " ")
    let names = SessionLines.one(whole, of: members).map { [$0] } ?? words
    var chosen: [String] = []
    for name in names {
      guard let member = SessionLines.one(name, of: members) else {
        throw SessionRefusal.unknownName(name, here: members)
      }
      chosen.append(member)
    }
    let isNew = isIn && !MoSession.sections.contains(section)
    for name in chosen { try MoSession.setSection(section, of: .member(name), isIn) }
    if isNew { MoLog.log(.notice, "new section: \(section)") }
  }

  /// The assignments of members to sections that are valid now, such as "Ada in drums".
  static var assignments: Set<String> {
    SessionServer.shared.read { core, now in
      var list: Set<String> = []
      for section in core.sections {
        for place in (try? core.sectionRoster(section, at: now)) ?? [] {
          list.insert("\(place.name ?? "a member that is away") in \(section)")
        }
      }
      return list
    } ?? []
  }
}
