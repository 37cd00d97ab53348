import MoCore
import MoMu
import MoSessionCore

/// The facts of a room that a playing member must see: a plain value, from which the status line is made.
package struct RoomFacts: Hashable, Sendable {
  /// A cue that the conductor has sent to this member: its words, its time, and the beats until it applies.
  package struct Cue: Hashable, Sendable {
    package var words: String
    /// Beats until the cue applies, rounded up; nil for a cue that applies now, or without a rhythm.
    package var beats: Int?
    /// The time for which the cue is meant, as expected when the cue arrived; it stays the same during the countdown.
    ///
    /// The time distinguishes a new cue from an earlier cue with the same words.
    package var time: HostTime
    package init(_ words: String, beats: Int? = nil, time: HostTime = .zero) {
      (self.words, self.beats, self.time) = (words, beats, time)
    }
  }

  /// A restriction of this member by closed gates; a gate sets how much a member may influence other members.
  package enum Gate: Hashable, Sendable {
    /// The member may not conduct.
    case conducting
    /// No other member receives this member's notes.
    case notes
    /// Several members receive this member's notes, but the listed members do not.
    case notesTo([String])
    /// Of several other members, only the named member receives this member's notes.
    case notesBut(String)
  }

  package var room = ""
  package var isLocked = false
  /// Whether this member has the room's clock and the newest state of the room; false while this member joins.
  package var hasArrived = true
  /// The names of the other members.
  package var others: [String] = []
  /// The bar and beat of the rhythm; nil while no rhythm runs.
  package var position: BarPosition?
  /// The tempo in beats per minute; nil while no rhythm runs.
  package var tempo: Double?
  /// The conductor's name, or `a hidden member`; nil for none, and for a conductor that is not heard.
  package var conductor: String?
  package var isConductor = false
  /// The name of a conductor that is not heard, while contact to all members is lost; nil for none.
  package var lostConductor: String?
  /// Whether the room now refuses this member's requests to start the rhythm, to set gates and to end a silence.
  package var isRefused = false
  /// Whether these requests are refused only until this member takes the baton of a conductor that is not heard.
  package var needsBaton = false
  /// Whether another member conducts that this member may ask for the baton.
  package var mayAsk = false
  /// The names of the members that may open gates and end a silence, if this member may not; otherwise empty.
  ///
  /// While another member conducts, the list has the conductor's name only. The list is also empty if no member that may
  /// do this is shown.
  package var openers: [String] = []
  /// The name of this member's instrument; empty for none.
  package var instrument = ""
  /// The program's words for a member without an instrument, such as `you have no instrument: press i to choose one`.
  package var remark = ""
  /// The sections that this member is in.
  package var sections: [String] = []
  /// The muted sections among `sections`.
  package var muted: [String] = []
  /// The lowest level among this member's sections, 0…1; 1 if the member is in no section.
  package var level: Float = 1
  package var cue: Cue?
  /// Whether a panic silences all members; `wayOutOfSilence` says how the silence ends.
  package var isSilenced = false
  /// Whether the silence applies to this member alone, so that this member may end it.
  package var isSilencedAlone = false
  /// The name of the member whose panic silences all; nil if this name is not known, or without a silence.
  package var silencedBy: String?
  /// This member's name with a number, such as "Ada 2", if another member has the same name; otherwise nil.
  package var numberedName: String?
  package var gates: [Gate] = []
  /// Seconds without contact to any other member; nil while there is contact.
  ///
  /// The value is also nil if there never was contact, or if all other members have said goodbye. After a quarter of an
  /// hour without contact, the value becomes nil again.
  package var cutOff: Double?
  /// The largest possible error of this member's beat now, in milliseconds, while contact to all members is lost.
  ///
  /// The value is nil while `cutOff` is nil. It is also nil if the error is not known, and if this member keeps the
  /// clock: the other members may have agreed on another clock.
  package var bound: Double?
  /// The number of members in the other part of the room, after the network has split the room; 0 for none.
  package var membersBeside = 0
  package var underruns = 0

  package init() {}

  /// Whether this member may start the rhythm, set gates and end a silence.
  package var mayLead: Bool { openers.isEmpty && !isRefused }

  /// These facts without the gates for notes, for a program that sends no notes.
  package var withoutNotesGates: RoomFacts {
    var facts = self
    facts.gates.removeAll { $0 != .conducting }
    return facts
  }

  /// The text that says how a silence ends, and, if this member may not end it, which members may.
  package var wayOutOfSilence: String {
    let own = "a new start of the rhythm or :unpanic ends it"
    if isSilencedAlone { return own }
    if let opener { return "\(opener) can end it (:unpanic, or a new start)" }
    if needsBaton { return ":baton, then :unpanic ends it" }
    return isRefused ? "a member that may conduct ends it" : own
  }

  /// The text that says how far this member's beat may be off while contact to all members is lost.
  var offBy: String {
    bound.map { "off by at most \(StatusLine.number($0)) ms" } ?? "off by an unknown amount"
  }

  /// The names in `openers` as words, such as `Ben or Cyd`; nil for none.
  var opener: String? {
    guard let first = openers.first else { return nil }
    switch openers.count {
    case 1: return first
    case 2: return "\(first) or \(openers[1])"
    default: return "\(first) or another member"
    }
  }

  /// Returns the facts of the joined room; nil before a room was joined.
  package static func now() -> RoomFacts? {
    let (isLocked, cue) = (MoSession.isLocked, SessionServer.shared.cue.withLock { $0 })
    let underruns = MoAudio.status.xruns
    return SessionServer.shared.read { core, now in
      var facts = RoomFacts(core, at: now)
      (facts.isLocked, facts.underruns) = (isLocked, underruns)
      facts.cue = Cue(cue, core.beatClock, at: now)
      return facts
    }
  }

  /// Creates the facts of a room as a member knows them; those of this program's sound and cues are left out.
  package init(_ core: SessionCore, at now: HostTime) {
    let roster = core.roster(at: now)
    let mine = core.settings.identity.installation
    let clock = core.beatClock
    let isPlaying = clock.isPlaying(at: now)
    (room, hasArrived) = (core.settings.room, core.hasArrived)
    KnownNames.store(roster)
    others = roster.filter { !$0.isMe }.map(\.displayName)
    (position, tempo) =
      isPlaying ? (clock.position(at: now), clock.tempo(at: now)?.beatsPerMinute) : (nil, nil)
    let conductor = roster.first(where: \.isConductor)
    let hidden = core.conductor(at: now) == nil ? nil : Self.hiddenMember
    (self.conductor, isConductor) = (conductor?.displayName ?? hidden, conductor?.isMe == true)
    instrument = core.settings.plays
    let name = roster.first(where: \.isMe)?.displayName
    numberedName = name == core.settings.identity.name ? nil : name
    sections = core.sections.filter { core.section($0).contains(mine) }
    let levels = core.state.policy.sections
    muted = core.mutedSections
    (isSilenced, isSilencedAlone) = (core.silenced != nil, core.isSilencedAlone)
    silencedBy = core.silenced.flatMap { silenced in
      roster.first { $0.identity.member == silenced.by }?.displayName ?? KnownNames.earlier(silenced.by)
    }
    level = sections.reduce(1) { min($0, levels.level($1)) }
    membersBeside = core.partBeside.map { Int($0.standing.members) } ?? 0
    gates = Self.gates(core.state.policy.gates, mine, roster)
    let lost = core.lostContact(at: now)
    (cutOff, bound) = (lost?.seconds, lost?.boundMilliseconds)
    setRights(core, roster, at: now)
    if lost != nil, self.conductor == nil, let id = core.state.conductor,
      id != core.settings.identity.member
    {
      lostConductor = KnownNames.earlier(id)
    }
  }

  /// The text for a conductor that is hidden.
  private static let hiddenMember = "a hidden member"

  /// Stores what this member may do now, by the room's own rules, and otherwise which members may.
  private mutating func setRights(_ core: SessionCore, _ roster: [SessionMember], at now: HostTime) {
    guard let refusal = core.refusal(at: now) else { return }
    isRefused = true
    if case .conducted = refusal { mayAsk = true }
    if case .away = refusal {
      needsBaton = true
      return
    }
    if let conductor, !isConductor {
      openers = [conductor]
      return
    }
    // A member that is cut off lists others that it cannot hear.
    guard core.lostContact(at: now) == nil else { return }
    switch refusal {
    case .closed(let names): openers = names
    case .reserved(let only, let away) where away == nil:
      // A member of a separate part cannot open a gate here.
      openers = roster.filter {
        !$0.isMe && $0.identity.installation == only && !core.isApart($0.identity.member, at: now)
      }
      .map(\.displayName)
    default: break
    }
  }

  private static func gates(_ table: GateTable, _ mine: MemberID, _ roster: [SessionMember]) -> [Gate] {
    var gates: [Gate] = []
    if table.weight(.rhythm, from: mine) == 0 { gates.append(.conducting) }
    let notes = NotesGates(table, from: mine, to: roster)
    guard !notes.closed.isEmpty else { return gates }
    switch notes.open.count {
    case 0: gates.append(.notes)
    case 1: gates.append(.notesBut(notes.open[0]))
    default: gates.append(.notesTo(notes.closed))
    }
    return gates
  }
}

extension RoomFacts.Cue {
  init?(_ pending: PendingCue?, _ beat: BeatClock, at now: HostTime) {
    guard let pending, let left = pending.beatsLeft(on: beat, at: now) else { return nil }
    self.init("\(pending.cue)", beats: left > 0 ? Int(left.rounded(.up)) : nil, time: pending.time)
  }
}
