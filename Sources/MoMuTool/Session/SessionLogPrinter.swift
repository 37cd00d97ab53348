import MoConsole
import MoCore
import MoMu
import MoOrchestra

/// A printer of the room's events, which writes a line for each event to standard error.
enum SessionLogPrinter {
  static func begin() {
    MoSession.onEvent { event in
      if let text = text(of: event) { printDiagnostic(text) }
    }
    MoSession.onCue { cue in
      let bar = cue.bar(on: MoSession.beat).map { " (bar \($0))" } ?? ""
      printDiagnostic("\(name(cue.from)) cues: \(cue.played)\(bar)")
    }
    MoSession.onSong { song, id, _ in printDiagnostic("\(name(id)) selects the song \(song)".printable) }
    MoSession.onMark { mark, isSet, id, _ in
      printDiagnostic(MarkPicture.sentence(mark, isSet: isSet, by: name(id)))
    }
    MoSession.onText { text in printDiagnostic(TalkLine.received(text.played, from: name(text.from))) }
  }

  static func text(of event: SessionEvent) -> String? {
    switch event {
    case .joined(let id): arrival(id)
    case .left(let id, let saidGoodbye):
      KnownNames.sentence(KnownNames.name(id) ?? "a member", left: saidGoodbye)
    case .conductor(let id?): "\(name(id)) conducts"
    case .conductor(nil): noConductor(lost: lostConductor)
    // Every program in a room reports these itself.
    case .timeline, .started, .merged, .undelivered, .shared, .outOfReach: nil
    case .keeper(let id): "the clock is \(name(id))'s"
    case .merging: "another part of the room was found: the beat follows it from the next bar line on"
    case .apart(let part):
      "another part of the room plays at the same time (\(counted(Int(part.standing.members), "member"))): type join to "
        + "follow its music, or let its conductor join yours"
    case .together: "no other part of the room plays any more"
    case .correcting: "this machine's clock was off: the beat is corrected at the next bar line"
    case .level(let level): sections.withLock { $0.line(to: level) }
    case .panic(let id): "\(name(id)) silences the room"
    case .panicEnded(let unconfirmed):
      // Every program in a room reports the missing members itself.
      unconfirmed.isEmpty ? "all members are silent" : nil
    case .panicLifted: "the silence is over"
    case .handed(let from, let to): "\(name(from)) hands the baton to \(name(to))"
    case .askedForBaton(let id): "\(name(id)) asks for the baton: type give \(name(id))"
    case .otherVersion(let version):
      "a member uses version \(version) of the session protocol, this program \(SessionAddress.version): update "
        + "the older one"
    case .refused(let only): "only installation \(only) may conduct here"
    }
  }

  /// Returns the line for a conductor that is no longer here.
  ///
  /// - Parameter lost: the name of a conductor that is not heard and did not say goodbye; it may still conduct members
  ///   that this member does not hear.
  static func noConductor(lost: String?) -> String {
    lost.map { "\($0) conducted last, and is not heard" } ?? "no member conducts: the baton is free"
  }

  /// The name of the conductor that is not heard and did not say goodbye; nil for none.
  private static var lostConductor: String? {
    let id = SessionServer.shared.read { core, now in
      core.state.conductor.flatMap { id in
        id != core.settings.identity.member
          && (core.members[id] != nil || core.missing(at: now).contains { $0.member == id }) ? id : nil
      }
    }
    return (id ?? nil).map(name)
  }

  private static let sections = Locked(OwnSections())

  private static func name(_ id: MemberID) -> String { KnownNames.name(id) ?? id.unlisted }

  /// Returns the sentence that a member has come, with the way in which it was found.
  private static func arrival(_ id: MemberID) -> String {
    let method = MoSession.members.first { $0.identity.member == id }?.method
    return "\(name(id)) is here" + (method.map { " (\($0.words))" } ?? "")
  }
}

/// This member's sections, as the last line about their level gave them.
struct OwnSections: Sendable {
  /// The sections that were muted.
  private var muted: [String] = []

  /// Returns the line about a new level of this member's sections, such as `your section low is muted`.
  fileprivate mutating func line(to level: Float) -> String {
    line(
      to: level, of: (RoomFacts.now() ?? RoomFacts()).sections, levels: MoSession.sectionLevels.level,
      muted: MoSession.mutedSections)
  }

  /// - Parameters:
  ///   - level: the lowest level of the member's sections, 0…1; 0 also if one of them is muted.
  ///   - sections: the member's sections.
  ///   - levels: returns the level of a section, 0…1, without its mute.
  ///   - muted: the muted sections of the member.
  mutating func line(
    to level: Float, of sections: [String], levels: (String) -> Float, muted new: [String]
  ) -> String {
    let old = muted.filter(sections.contains)
    muted = new
    if !new.isEmpty { return Self.line(new, "muted") }
    if !old.isEmpty {
      // Several changes of the sections may have led to one change of the lowest level.
      let subject = sections.count == 1 ? "your section \(sections[0]) is" : "your sections are"
      let rest = level < 1 ? "; the lowest level is \(Int((level * 100).rounded())) %" : ""
      return "\(subject) no longer muted\(rest)"
    }
    let lowest = sections.filter { levels($0) == level }
    return Self.line(lowest, "at \(Int((level * 100).rounded())) %")
  }

  private static func line(_ sections: [String], _ state: String) -> String {
    guard sections.count > 1 else {
      // A member that has just left its section has none.
      return sections.first.map { "your section \($0) is \(state)" } ?? "your sound is \(state)"
    }
    return "your sections \(sections.joined(separator: ", ")) are \(state)"
  }
}

/// The printer of `momu session --listen`: it prints the events for this member, and the activity of all members, on
/// standard error.
enum EventPrinter {
  static func begin() {
    SessionServer.shared.heard.add { heard in
      if let text = text(of: heard, by: name(heard.from)) { printDiagnostic(text) }
    }
  }

  /// Returns the line to print for an event, such as `Ada: C4, force 0.800, at beat 16.0`; nil for shared settings,
  /// cues and text messages.
  ///
  /// - Parameter name: the display name of the sender.
  static func text(of heard: SessionHeard, by name: String) -> String? {
    let what: String
    switch heard.play {
    case .hit(let strike):
      what = "hit \(number(strike.force))" + (strike.drum > 0 ? ", drum \(strike.drum)" : "")
    case .note(let note) where note.velocity == 0: what = "\(NoteText.name(note.pitch)) released"
    case .note(let note):
      let length = note.length > 0 ? ", \(number(note.length)) beats" : ""
      what = "\(NoteText.name(note.pitch)), force \(number(note.velocity))\(length)"
    case .change(let change):
      let part = heard.weight < 1 ? ", \(number(100 * heard.weight)) % of the way" : ""
      what = "\(change.name) to \(number(change.value))\(part)"
    case .melody(let melody):
      what = "a melody: " + melody.notes.map { NoteText.name($0.pitch) }.joined(separator: " ")
    case .gesture(let gesture): what = "moves, activity \(number(gesture.activity))"
    default: return nil
    }
    let instrument = heard.play.instrument.isEmpty ? "" : " on \(heard.play.instrument)"
    return "\(name): \(what)\(instrument)\(lateness(heard))"
  }

  private static func lateness(_ heard: SessionHeard) -> String {
    guard heard.late > 0 else { return heard.beat.map { ", at beat \(($0 * 1000).rounded() / 1000)" } ?? "" }
    return heard.late.isFinite
      ? ", late by \(number(Float(heard.late * 1000))) ms" : ", for a beat that is over"
  }

  private static func number(_ number: Float) -> String { ParameterText.number(number) }

  private static func name(_ id: MemberID) -> String {
    (SessionServer.shared.read { core, _ in core.displayName(of: id) } ?? nil) ?? id.unlisted
  }
}

extension MemberID {
  /// The text for a member whose name is unknown, such as a hidden member; it contains the first four digits of the ID,
  /// to distinguish several such members.
  var unlisted: String { "a hidden member (\(description.prefix(4)))" }
}
