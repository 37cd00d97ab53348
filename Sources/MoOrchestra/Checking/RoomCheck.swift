import MoCore
import MoMu
import MoSessionCore

/// The results of a check before a concert.
public struct RoomCheck: Hashable, Sendable {
  /// The room's name.
  public var room: String
  /// Whether all members have answered, or their timeout has passed.
  public var isDone: Bool
  /// The result for each member, sorted by name.
  public var members: [MemberCheck]
  /// The problems of the room as a whole.
  public var flaws: [HealthFlaw]

  /// Whether neither the room nor a member has problems.
  public var isReady: Bool { flaws.isEmpty && members.allSatisfy(\.isReady) }

  package init?(_ core: SessionCore, at now: HostTime) {
    guard core.isChecking else { return nil }
    room = core.settings.room
    isDone = core.hasChecked(at: now)
    members = core.checks(at: now)
    flaws = core.roomFlaws(at: now)
  }

  /// Returns the check as text: a line for each member, its problems below it, and a summary at the end.
  ///
  /// - Parameter isShort: whether the summary is in the first row, which a small screen still shows, and members that
  ///   are ready are only counted.
  package func text(isShort: Bool = false) -> String {
    guard isDone else {
      return "room \(room): the machines of \(counted(members.count, "member")) are asked …\n"
    }
    var lines =
      isShort ? ["room \(room), \(shortSummary)"] : ["room \(room), \(counted(members.count, "member"))", ""]
    let width = members.map(\.member.displayName.count).max() ?? 0
    let shared = sharedNotes
    for each in members where !isShort || !each.isReady {
      lines.append(
        "  \(each.isReady ? "ready    " : "NOT READY") \(each.member.displayName.padded(to: width))  "
          + Self.figures(of: each))
      lines += each.flaws.filter { shared[$0] == nil }.flatMap { Self.lines($0) }
    }
    for flaw in flaws { lines += ["  NOT READY the room"] + Self.lines(flaw) }
    for (flaw, names) in shared.sorted(by: { $0.key.what < $1.key.what }) {
      lines += ["  note for \(names.listed):"] + Self.lines(flaw, isNamed: true)
    }
    if !isShort { lines += ["", summary] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A line about the members that are not ready.
  private var summary: String {
    notReady.isEmpty ? "All are ready." : "Not ready: \(notReady.joined(separator: ", "))."
  }

  /// The members that are not ready, then the number of ready members, such as `not ready: Ada, Ben; 4 of 6 ready`.
  private var shortSummary: String {
    let ready = "\(members.count(where: \.isReady)) of \(members.count) ready"
    return notReady.isEmpty ? ready : "not ready: \(notReady.listed); \(ready)"
  }

  /// The names of the members that are not ready; if the room as a whole has problems, also `the room`.
  private var notReady: [String] {
    members.filter { !$0.isReady }.map(\.member.displayName) + (flaws.isEmpty ? [] : ["the room"])
  }

  /// The notes that several members have in common, each with the names of these members; the text shows each once.
  private var sharedNotes: [HealthFlaw: [String]] {
    let notes = members.flatMap { each in
      each.flaws.filter { !$0.isProblem }.map { (flaw: $0, name: each.member.displayName) }
    }
    return Dictionary(grouping: notes, by: \.flaw).mapValues { $0.map(\.name) }.filter { $0.value.count > 1 }
  }

  /// Returns the lines of a flaw.
  ///
  /// - Parameter isNamed: whether a line above already says that the flaw is a note.
  private static func lines(_ flaw: HealthFlaw, isNamed: Bool = false) -> [String] {
    ["            \(flaw.isProblem || isNamed ? "" : "note: ")\(flaw.what)", "              \(flaw.fix)"]
  }

  private static func figures(of check: MemberCheck) -> String {
    let (member, report) = (check.member, check.member.report)
    var words: [String] = []
    if let health = check.health {
      words.append("MoMu \(health.release)")
      if let link = health.link.words { words.append(link) }
    }
    if let method = member.method { words.append("found \(method.words)") }
    if member.isKeeper {
      words.append("keeps the clock")
    } else if report.boundMilliseconds.isFinite {
      words.append("±\(HealthFlaw.short(report.symmetricMilliseconds)) ms")
      words.append("\(HealthFlaw.short(report.loss * 100)) % lost")
    }
    if let health = check.health, health.isSounding {
      words.append("trim \(HealthFlaw.short(health.trim)) ms")
      words.append("sound \(HealthFlaw.short(health.soundLoad * 100)) %")
      words.append("\(counted(Int(health.underruns), "underrun")) in a minute")
    }
    return words.joined(separator: ", ")
  }
}

extension MoSession {
  /// Asks all members for the health of their machines before a concert.
  ///
  /// The property `check` has their answers. The check takes at most 5 s, plus 0.04 s for each other member.
  ///
  /// - Throws: `SessionError.notJoined`.
  public static func beginCheck() throws {
    guard SessionServer.shared.perform({ core, now in core.beginCheck(now: now) }) != nil else {
      throw SessionError.notJoined
    }
  }

  /// The results of the last check, as far as the members have answered; nil before `beginCheck` was called in a room.
  public static var check: RoomCheck? {
    SessionServer.shared.read { core, now in RoomCheck(core, at: now) } ?? nil
  }
}

extension [String] {
  /// The names in a row, such as `Ada, Ben`; of six or more names, the first four and the number of the others.
  package var listed: String {
    let shown = count > 5 ? 4 : count
    return prefix(shown).joined(separator: ", ") + (count > shown ? " and \(count - shown) more" : "")
  }
}

extension MemberHealth.Link {
  /// The kind of network connection in words, such as "Wi-Fi"; nil if it is not known.
  package var words: String? {
    switch self {
    case .unknown: nil
    case .wire: "cable"
    case .wireless: "Wi-Fi"
    case .both: "cable and Wi-Fi"
    }
  }
}

extension DiscoveryMethod {
  /// The way in which a member was found, in words, such as "by multicast".
  package var words: String {
    switch self {
    case .answer: "by its answer"
    case .multicast: "by multicast"
    case .broadcast: "by broadcast"
    case .remembered: "where it was before"
    case .typed: "at the typed address"
    case .avahi: "by Avahi or another member"
    }
  }
}
