import MoCore

/// A reason why the session refuses a request.
public enum SessionRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another member conducts.
  case conducted(by: String)
  /// Only one installation may conduct; `away` is its absence in seconds, nil while it is here.
  case reserved(MemberID, away: Int? = nil)
  /// All members may conduct already.
  case notReserved
  /// The conductor with the given name has not been heard for `seconds` seconds, and may return at any time.
  case away(String, seconds: Int)
  /// Only the conductor may make this request.
  case notConductor
  /// No member with this ID is here.
  case unknownMember(MemberID)
  /// No member has this name; `here` lists the names of the members that are here.
  case unknownName(String, here: [String])
  /// A melody is too long; `notes` is the number of its notes.
  case tooLong(notes: Int)
  /// The name is not valid for a parameter or a shared setting.
  case badParameter(String)
  /// The name is not valid for an instrument.
  case badInstrument(String)
  /// The limit of shared data is reached.
  case tooManyCells
  /// The name is not valid for a section.
  case badSection(String)
  /// No section has this name; `there` lists the names of the sections.
  case unknownSection(String, there: [String])
  /// No member of the section is here.
  case emptySection(String)
  /// This member's gate for conducting is closed; `openers` lists the present members that can open it.
  case closed(openers: [String])
  /// No other member conducts.
  case noConductor
  /// The limit of section levels is reached.
  case tooManySections
  /// The limit of gates is reached.
  case tooManyGates
  /// The receivers' queues are full.
  case crowded
  /// No other part of the room is heard.
  case noOtherPart
  /// Only one installation may conduct here, and another installation leads the other part of the room.
  ///
  /// So this part cannot join the other part; the other part can join this part.
  case otherPartFree
  /// The other part refuses this part's state, whose version is too high.
  ///
  /// So this part cannot join the other part; the other part can join this part.
  case otherPartRefuses
  /// The mark to remove is not set.
  case unknownMark(RehearsalMark)
  /// No rhythm is running.
  case noRhythm
  /// The text is empty.
  case emptyText
  /// The text is too long; `characters` is its length.
  case longText(characters: Int)
  /// More lines were sent in a second than are allowed.
  case hastyText
  /// Closed gates block a line to all its receivers; the value lists their names.
  case unheardText([String])
  /// No other member is here to read a line.
  case alone
  /// The search for the room is not over, or the room's clock is not known yet.
  case arriving

  /// The error text: why the request is refused, and what to do.
  public var description: String {
    switch self {
    case .conducted(let name):
      "\(name) conducts: ask for the baton (b in Orchestra, or type :ask), or wait until the rhythm is stopped"
    case .reserved(let installation, let away):
      "only installation \(installation) may conduct here (--conductor-only)" + Self.lifting(away)
    case .notReserved: "all may conduct here: there is nothing to lift"
    case .away(let name, let seconds):
      "\(name) conducts and has not been heard for \(seconds) s: take the baton to conduct instead (b in Orchestra, or type :baton), "
        + "or wait until \(Int(Agreement.gracePeriod)) s have passed"
    case .notConductor:
      "only the conductor can do that: start a rhythm, or ask for the baton (b in Orchestra, or type :ask)"
    case .unknownMember(let member): "no member \(member) is here"
    case .unknownName(let name, let here):
      "no member is called \"\(name)\": "
        + (here.isEmpty ? "no other member is in the room" : Self.proposal(name, here, "the members are"))
    case .tooLong(let notes):
      "a melody of \(notes) notes is too long: send at most \(SessionMelody.most), or send it in parts"
    case .badParameter(let name):
      "\"\(name)\" is not a valid name for a parameter: use 1 to 64 letters, such as brightness"
    case .badInstrument(let name):
      "\"\(name)\" is not a valid name for an instrument: use 1 to 40 letters, such as piano"
    case .tooManyCells:
      "a room shares at most \(SharedStore.most) settings of \(SharedStore.mostThings) things: use a smaller machine"
    case .badSection(let name):
      "\"\(name)\" is not a valid name for a section: use 1 to 40 letters, such as drums"
    case .unknownSection(let name, let there):
      "there is no section \"\(name)\": "
        + (there.isEmpty ? "assign a member to it first" : Self.proposal(name, there, "the sections are"))
    case .emptySection(let name): "no member of the section \"\(name)\" is here"
    case .closed(let openers):
      "your rhythm gate is closed, so you cannot conduct, assign sections or set gates: "
        + (openers.isEmpty
          ? "a member whose rhythm gate is open can open it" : "ask \(Self.choice(openers)) to open it")
        + " (gate 0.5 rhythm NAME)"
    case .noConductor:
      "no other member conducts: start a rhythm, or take the baton (b in Orchestra, or type :baton)"
    case .tooManyGates:
      "at most \(GateTable.most) pairs of about forty installations can have gates of their own: set gates for all, or "
        + "remove some"
    case .tooManySections:
      "at most \(SectionLevels.most) sections can have levels, and fewer if many gates are set: remove some"
    case .crowded: "the receivers' queues are full: send less, or wait a moment"
    case .noOtherPart: "no other part of the room is heard: all are together"
    case .otherPartFree:
      "only one installation may conduct here (--conductor-only), and another leads the other part: let that part follow "
        + "this one"
    case .otherPartRefuses:
      "the other part refuses this part's state, whose version is too high: let that part follow this one"
    case .unknownMark(let mark): "\(mark) has no mark: type marks for a list"
    case .noRhythm: "no rhythm is running: start one first"
    case .emptyText: "the line is empty: type a text after say, such as say softer please"
    case .longText(let characters):
      "a line of \(characters) characters is too long: the limit is \(SessionText.most)"
    case .hastyText: "at most \(SessionText.fastest) lines are sent per second: wait a second"
    case .unheardText(let names):
      "the gates keep your lines from \(Self.choice(names, "and")): a member that may conduct can open them (gate 1 notes NAME all)"
    case .alone: "no other member is here to read it"
    case .arriving: "the room's clock is not known yet: try again in a second"
    }
  }

  private static func choice(_ names: [String], _ last: String = "or") -> String {
    let shown = names.prefix(3)
    let rest = names.count > 3 ? ["\(names.count - 3) more"] : []
    let all = shown + rest
    return all.count < 2
      ? all.joined() : all.dropLast().joined(separator: ", ") + " \(last) " + (all.last ?? "")
  }

  private static func lifting(_ away: Int?) -> String {
    guard let away else { return "" }
    let word = "type lift in momu session to let all conduct"
    return away < Int(Agreement.lapse)
      ? "; it has been away for \(away) s: after \(Int(Agreement.lapse)) s, \(word)"
      : "; it has been away for \(away) s: \(word)"
  }

  /// Returns a text that proposes the name that was probably meant, if there is one, and lists all names.
  ///
  /// The list of names follows the words `introduction`, such as `the members are`.
  private static func proposal(_ name: String, _ there: [String], _ introduction: String) -> String {
    let all = "\(introduction) \(there.joined(separator: ", "))"
    return Spelling.nearest(to: name, among: there).map {
      "did you mean \"\($0)\"? \(all.prefix(1).uppercased())\(all.dropFirst())"
    } ?? all
  }
}
