/// Why something that was asked of a session cannot be done.
public enum SessionRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// Another member conducts.
  case conducted(by: String)
  /// Only one installation may conduct; for how many seconds it has been away, nil while it is here.
  case reserved(MemberID, away: Int? = nil)
  /// All may conduct.
  case notReserved
  /// The conductor has not been heard for some seconds, and may be back at once.
  case away(String, seconds: Int)
  /// It is for the conductor to do.
  case notConductor
  /// There is no such member.
  case unknownMember(MemberID)
  /// No member has a name; the names of those that are here.
  case unknownName(String, here: [String])
  /// A melody is too long.
  case tooLong(notes: Int)
  /// A parameter's name that cannot be one.
  case badParameter(String)
  /// An instrument's name that cannot be one.
  case badInstrument(String)
  /// Too much is shared.
  case tooManyCells
  /// A section's name that cannot be one.
  case badSection(String)
  /// There is no such section; those there are.
  case unknownSection(String, there: [String])
  /// Nobody of a section is here.
  case emptySection(String)
  /// The gate for conducting is closed; the members that are here and can open it.
  case closed(openers: [String])
  /// No other member conducts.
  case noConductor
  /// Too much is stated of sections.
  case tooManySections
  /// Too many gates.
  case tooManyGates
  /// Too much waits for the receivers.
  case crowded
  /// No other part of the room is heard.
  case noOtherPart
  /// Only one installation may conduct here, and the other part of the room is led by another.
  case otherPartFree
  /// A mark that is to be taken away is not set.
  case unknownMark(RehearsalMark)
  /// There is no rhythm.
  case noRhythm
  /// Nothing was typed.
  case emptyText
  /// A line that was typed is too long.
  case longText(characters: Int)
  /// Too many lines in a second.
  case hastyText
  /// Gates keep a line from all that it is for: their names.
  case unheardText([String])
  /// No other member is there to read a line.
  case alone
  /// The room is still being looked for, or its clock is not known yet.
  case arriving

  /// What is in the way, and what to do.
  public var description: String {
    switch self {
    case .conducted(let name): "\(name) conducts: ask for the baton, or wait until the rhythm is stopped"
    case .reserved(let installation, let away):
      "only installation \(installation) may conduct here (--conductor-only)" + Self.lifting(away)
    case .notReserved: "all may conduct here: there is nothing to lift"
    case .away(let name, let seconds):
      "\(name) conducts and has not been heard for \(seconds) s: take the baton to conduct instead (key b, or type baton), "
        + "or wait until \(Int(Agreement.grace)) s have passed"
    case .notConductor: "only who conducts can do that: start the rhythm, or take the baton first"
    case .unknownMember(let member): "no member \(member) is here"
    case .unknownName(let name, let here):
      "nobody called \"\(name)\" is here: "
        + (here.isEmpty ? "no other member is in the room" : Self.proposal(name, here))
    case .tooLong(let notes):
      "a melody of \(notes) notes is too long: send \(SessionMelody.most) at most, or send it in parts"
    case .badParameter(let name):
      "\"\(name)\" is no name for a parameter: use 1 to 64 letters, such as brightness"
    case .badInstrument(let name):
      "\"\(name)\" is no name for an instrument: use 1 to 40 letters, such as piano"
    case .tooManyCells:
      "a room shares \(SharedStore.most) settings of \(SharedStore.mostThings) things at most: take a smaller machine"
    case .badSection(let name): "\"\(name)\" is no name for a section: use 1 to 40 letters, such as drums"
    case .unknownSection(let name, let there):
      "there is no section \"\(name)\": "
        + (there.isEmpty ? "assign somebody to it first" : Self.proposal(name, there))
    case .emptySection(let name): "nobody of the section \"\(name)\" is here"
    case .closed(let openers):
      "your rhythm gate is closed, so you cannot conduct, assign sections or set gates: "
        + (openers.isEmpty
          ? "a member whose rhythm gate is open can open it" : "ask \(Self.choice(openers)) to open it")
        + " (gate 0.5 rhythm NAME all)"
    case .noConductor: "no other member conducts: start a rhythm, or take the baton (key b, or type baton)"
    case .tooManyGates:
      "gates can be stated for \(GateTable.most) pairs of some forty installations at most: state them for all, or take some "
        + "back"
    case .tooManySections:
      "levels can be stated of \(SectionLevels.most) sections, and of fewer if many gates are stated: take some back"
    case .crowded: "too much is on its way there already: send less, or wait until it has come"
    case .noOtherPart: "no other part of the room is heard: all are together"
    case .otherPartFree:
      "only one installation may conduct here (--conductor-only), and another leads the other part: let that part follow "
        + "this one"
    case .unknownMark(let mark): "\(mark) is not marked: type marks to see which are"
    case .noRhythm: "no rhythm is running: start one first"
    case .emptyText: "there is nothing to say: type say and a line, such as say softer please"
    case .longText(let characters):
      "a line of \(characters) characters is too long: \(SessionText.most) at most"
    case .hastyText: "\(SessionText.fastest) lines a second are sent at most: wait a second"
    case .unheardText(let names):
      "the gates keep your lines from \(Self.choice(names)): a member that may conduct can open them (gate 1 notes NAME all)"
    case .alone: "no other member is here to read it"
    case .arriving: "the room's clock is not known yet: try again in a second"
    }
  }

  private static func choice(_ names: [String]) -> String {
    let shown = names.prefix(3)
    let rest = names.count > 3 ? ["\(names.count - 3) more"] : []
    let all = shown + rest
    return all.count < 2 ? all.joined() : all.dropLast().joined(separator: ", ") + " or " + (all.last ?? "")
  }

  private static func lifting(_ away: Int?) -> String {
    guard let away else { return "" }
    let word = "type lift in momu session to let all conduct"
    return away < Int(Agreement.lapse)
      ? "; it has been away for \(away) s: after \(Int(Agreement.lapse)) s, \(word)"
      : "; it has been away for \(away) s: \(word)"
  }

  /// What was meant, if that can be told, and what there is.
  private static func proposal(_ name: String, _ there: [String]) -> String {
    let all = there.joined(separator: ", ")
    return NearName.of(name, among: there).map { "did you mean \"\($0)\"? There are \(all)" } ?? all
  }
}

/// The name that was probably meant.
enum NearName {
  /// The name that differs least, by a third of its letters at most, or one.
  ///
  /// - Source: V. I. Levenshtein, *Binary codes capable of correcting deletions, insertions, and reversals* (1966).
  static func of(_ text: String, among names: [String]) -> String? {
    let wanted = Array(text.lowercased())
    let near = names.map { name in (name: name, distance: distance(wanted, Array(name.lowercased()))) }
      .filter { $0.distance <= max(1, $0.name.count / 3) }
    return near.min { $0.distance < $1.distance }?.name
  }

  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for place in other.indices {
        let change = diagonal + (letter == other[place] ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(change, min(row[place], diagonal) + 1)
      }
    }
    return row[other.count]
  }
}
