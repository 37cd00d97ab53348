import MoCore
import MoMu
import MoSessionCore

/// This member's state in the room, for the top of a screen.
extension MoSession {
  /// The member that called for silence, and the time of the call; nil while sound is allowed.
  public static var silenced: (by: MemberID, since: HostTime)? {
    SessionServer.shared.read { core, _ in core.silenced } ?? nil
  }

  /// The muted sections that this member is in.
  ///
  /// If this member is in a muted section, no machine plays its strikes and notes.
  public static var mutedSections: [String] {
    SessionServer.shared.read { core, _ in core.mutedSections } ?? []
  }

  /// Whether this member is in a muted section.
  public static var isMuted: Bool { !mutedSections.isEmpty }

  /// The loss of contact with all other members; nil while a message from another member arrives regularly.
  ///
  /// The value is also nil before the first contact, after all other members have said goodbye, and 15 minutes after
  /// the last contact.
  public static var lostContact: LostContact? {
    SessionServer.shared.read { core, now in core.lostContact(at: now) } ?? nil
  }

  /// The members that disappeared without a goodbye and have not come back, sorted by name.
  ///
  /// A member is listed for a quarter of an hour after it has disappeared.
  public static var missing: [UnconfirmedMember] {
    SessionServer.shared.read { core, now in core.missing(at: now) } ?? []
  }

  /// The last cue that this member received in this room; nil before the first cue, and later than two seconds after
  /// the moment for which the cue was meant.
  public static var cue: PendingCue? {
    let now = Run.current.clock.now
    return SessionServer.shared.cue.withLock { $0 }.flatMap {
      $0.beatsLeft(on: beat, at: now) == nil ? nil : $0
    }
  }

  /// The rhythm after all changes that the conductor has announced.
  ///
  /// The audible rhythm follows when the changes take effect, usually within a bar. The next change, such as another
  /// tempo, starts from the announced rhythm.
  public static var announced: AnnouncedRhythm {
    SessionServer.shared.read { core, _ in core.announced } ?? AnnouncedRhythm()
  }

  /// The kinds of gates that are closed (weight 0) from this member to all members.
  public static var closedGates: [GateKind] {
    SessionServer.shared.read { core, _ in
      let mine = core.settings.identity.installation
      return GateKind.allCases.filter { core.state.policy.gates.weight($0, from: mine) == 0 }
    } ?? []
  }

  /// Returns the text that `keep` stored under a name; nil for none.
  ///
  /// After `join`, this includes the texts that the program stored before it was killed. When the program ends
  /// properly, its texts are deleted.
  public static func kept(_ name: String) -> String? { SessionServer.shared.kept(name) }

  /// Stores a short text under a name, so that the text is not lost if the program is killed; nil deletes the text.
  ///
  /// At most 64 texts of at most 80 bytes are stored, with names of at most 80 bytes. An invalid name or text is
  /// ignored. Before a room is joined, the call does nothing.
  public static func keep(_ value: String?, as name: String) { SessionServer.shared.keep(value, as: name) }
}

/// The other members, divided by the gates: those that receive this member's notes, and those that do not.
package struct NotesGates: Hashable, Sendable {
  /// The display names of the members that receive this member's strikes, notes, melodies and gestures.
  package var open: [String] = []
  /// The display names of the members that receive none of this member's strikes, notes, melodies and gestures.
  package var closed: [String] = []

  package init() {}

  /// - Parameters:
  ///   - gates: the room's gates.
  ///   - mine: this member's installation. Its programs are left out, since gates do not apply among programs of an
  ///     installation.
  ///   - roster: the members of the room.
  package init(_ gates: GateTable, from mine: MemberID, to roster: [SessionMember]) {
    for member in roster where member.identity.installation != mine {
      if gates.weight(.notes, from: mine, to: member.identity.installation) > 0 {
        open.append(member.displayName)
      } else {
        closed.append(member.displayName)
      }
    }
  }
}

extension SharedInstallation {
  /// Returns a warning about programs on different machines that share an installation: their names, the effects, and
  /// the command that gives a machine a new identity.
  package func text(_ core: SessionCore, at now: HostTime) -> String {
    "\(names(core, at: now)) share one installation (\(installation)) on different machines, so --conductor-only, sections and "
      + "ignore cannot tell them apart: a disk or a home folder was copied, or one of them pretends to be the other. Type "
      + "momu session renew on one of the machines, and start its programs again"
  }

  /// Returns a line for the screen: the names of the programs that share an installation, and the command that gives a
  /// machine a new identity.
  package func line(_ core: SessionCore, at now: HostTime) -> String {
    "\(names(core, at: now)) share one installation: type momu session renew on one of them"
  }

  private func names(_ core: SessionCore, at now: HostTime) -> String {
    let names = members.map { core.displayName(of: $0) ?? "a hidden member" }.sorted()
    return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
  }
}

extension UnconfirmedMember {
  /// The member's name and, if its last message is more than a second old, the age of this message in seconds.
  package var text: String {
    let name = name.isEmpty ? "a hidden member (\(member.description.prefix(4)))" : name
    return silentFor > 1 ? "\(name), not heard for \(silentFor) s" : name
  }

  /// Returns a line that names the members that did not confirm a call for silence.
  package static func line(_ members: [UnconfirmedMember]) -> String {
    "no answer to the call for silence from \(members.map(\.text).joined(separator: "; ")): "
      + (members.count == 1 ? "it falls silent as soon as it is" : "they fall silent as soon as they are")
      + " heard again"
  }
}
