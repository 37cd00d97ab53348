import MoInstruments
import MoOrchestra

/// The commands of `momu session` that play events for others or set gates, typed or sent by a script.
package enum PlayLines {
  /// The first words of the commands that play events or set gates.
  static let words = ["hit", "note", "change", "melody", "activity", "gate", "gates"]

  /// Executes a command that plays an event or sets gates.
  ///
  /// - Parameters:
  ///   - word: the first word of the command, one of `words`.
  ///   - rest: the other words.
  static func execute(_ word: String, _ rest: [String]) throws {
    switch word {
    case "hit":
      let line = try Line(word, rest, wants: "a force from 0 to 1, such as hit 0.8 at 16 to Ada")
      let force = try line.number(0, in: 0...1)
      try MoSession.strike(force, to: line.aim, at: line.moment)
    case "note":
      let line = try Line(
        word, rest, wants: "a note, a force and a length in beats, such as note C4 0.8 2 at 16 to Ada")
      let pitch = line.values.first.flatMap { NoteText.pitch($0) }
      guard let pitch else { throw line.refusal }
      let velocity = line.values.count > 1 ? try line.number(1, in: 0...1) : 0.8
      let length = line.values.count > 2 ? try line.number(2, in: 0...256) : 0
      try MoSession.playNote(pitch, velocity: velocity, length: Beats(length), to: line.aim, at: line.moment)
    case "change":
      let line = try Line(word, rest, wants: "a parameter and a number, such as change brightness 0.9 to Ada")
      guard line.values.count == 2 else { throw line.refusal }
      try MoSession.setParameter(
        line.values[0], to: try line.number(1, in: -1e9...1e9), of: line.aim, at: line.moment)
    case "melody":
      let line = try Line(word, rest, wants: "notes, one a beat, such as melody C4 E4 G4 to Ada")
      let text = try NoteText(line.values.joined(separator: " "))
      let count = text.beats.reduce(0) { $0 + $1.count }
      guard count <= SessionMelody.most else { throw SessionRefusal.tooLong(notes: count) }
      var melody = Melody(beats: Float(text.beats.count))
      for (beat, chord) in text.beats.enumerated() {
        for pitch in chord { melody.add(Melody.Event(beat: Float(beat), length: 0.9, pitch: pitch)) }
      }
      try MoSession.sendMelody(SessionMelody(melody), to: line.aim, at: line.moment)
    case "activity":
      let line = try Line(word, rest, wants: "an amount of movement from 0 to 1, such as activity 0.5")
      MoSession.setActivity(try line.number(0, in: 0...1))
    case "gate": try gate(rest)
    default: try gates(rest)
    }
  }

  /// Executes `gate WEIGHT KIND FROM TO`, such as `gate 0.5 notes Bob all`, and shows the gates.
  ///
  /// `all` means all members; without TO, the gate is to all.
  ///
  /// - Parameter words: the words after `gate`.
  private static func gate(_ words: [String]) throws {
    let refusal = SessionLines.LineError.value(
      "gate",
      "a weight from 0 to 1, a kind (rhythm, notes, modification, activity), a sender, and a receiver if not all, "
        + "such as gate 0.5 notes Bob Ada")
    guard 3...4 ~= words.count, let weight = Float(words[0]), (0...1).contains(weight),
      let kind = GateKind.allCases.first(where: { "\($0)" == words[1] })
    else { throw refusal }
    func member(_ word: String) -> MemberChoice? { word == "all" ? nil : .member(word) }
    try MoSession.setGate(
      weight, kind, from: member(words[2]), to: words.count > 3 ? member(words[3]) : nil)
    MoLog.log(.notice, GateLines.now())
  }

  /// Executes `gates PRESET NAME…`, such as `gates monarchic Ada`; without a preset, shows the gates.
  ///
  /// - Parameter words: the words after `gates`.
  private static func gates(_ words: [String]) throws {
    let assignments = SectionLines.assignments
    switch (words.first, words.count) {
    case (nil, _): MoLog.log(.notice, GateLines.now())
    case ("democratic", 1): try MoSession.setGates(.democratic)
    case ("monarchic", 2): try MoSession.setGates(.monarchic(.member(words[1])))
    case ("centralised", 2): try MoSession.setGates(.centralised(.member(words[1])))
    case ("stairs", 3...): try MoSession.setGates(.stairs(words.dropFirst().map { .member($0) }))
    default:
      throw SessionLines.LineError.value(
        "gates", "democratic, monarchic NAME, centralised NAME, or stairs NAME NAME…")
    }
    if let text = lapsed(assignments.subtracting(SectionLines.assignments)) { MoLog.log(.notice, text) }
  }

  /// Returns a notice for the user, which says that the given assignments to sections, such as `Ada in drums`, are no
  /// longer valid.
  ///
  /// The result is nil if the set is empty.
  ///
  /// An assignment is valid while the member that made it may conduct.
  package static func lapsed(_ assignments: Set<String>) -> String? {
    guard !assignments.isEmpty else { return nil }
    let list = assignments.sorted().prefix(6).joined(separator: ", ")
    let more = assignments.count > 6 ? " and \(assignments.count - 6) more" : ""
    return
      "these assignments were made by members that may no longer conduct, and do not count now: \(list)\(more); "
      + "a member that may conduct assigns them again, such as section drums Ada"
  }

  /// The words of a play command without its first word, such as `0.8 at 16 to Ada` of `hit 0.8 at 16 to Ada`.
  ///
  /// `at 16` is the grid line at which the event sounds: the next sixteenth. The receivers are `to Ada`,
  /// `to section drums` or `to all`. By default the event sounds immediately, for all other members.
  private struct Line {
    var values: [String]
    var moment = SessionMoment.now
    var aim = SessionAim.crowd(.others)
    let refusal: SessionLines.LineError

    init(_ word: String, _ words: [String], wants: String) throws {
      refusal = .value(word, wants)
      values = words
      if let place = values.lastIndex(of: "to") {
        let name = values[(place + 1)...].joined(separator: " ")
        aim =
          name == "all"
          ? .crowd(.everyone)
          : name.hasPrefix("section ") ? .section(String(name.dropFirst(8))) : .member(name)
        values.removeSubrange(place...)
      }
      if let place = values.lastIndex(of: "at") {
        guard place + 2 == values.count, let part = Int(values[place + 1]), (1...64).contains(part) else {
          throw refusal
        }
        moment = .next(.note(part))
        values.removeSubrange(place...)
      }
      guard !values.isEmpty else { throw refusal }
    }

    func number(_ place: Int, in range: ClosedRange<Float>) throws -> Float {
      guard place < values.count, let number = Float(values[place]), range.contains(number) else {
        throw refusal
      }
      return number
    }
  }
}

/// Describes gates in words, a line for each pair of sender and receiver: `gate from Bob to all: notes 0.5`.
package enum GateLines {
  /// Returns lines that describe the gates of the joined room.
  static func now() -> String {
    let members = MoSession.members
    return text(MoSession.gates) { id in
      members.first { $0.identity.installation == id }?.displayName ?? "a member that is away (\(id))"
    }
  }

  /// Returns lines that describe the gates of a table.
  ///
  /// - Parameter name: a function that returns the name of an installation.
  package static func text(_ gates: GateTable, name: (MemberID) -> String) -> String {
    guard !gates.statements.isEmpty else {
      return "all gates are open: rhythm 0.5, notes, modification and activity 1"
    }
    var lines: [(place: String, weights: [String])] = []
    for gate in gates.statements {
      let place = "gate from \(self.name(gate.from, name)) to \(self.name(gate.to, name)): "
      let weight = "\(gate.kind) \(number(gate.weight))"
      if lines.last?.place == place {
        lines[lines.count - 1].weights.append(weight)
      } else {
        lines.append((place, [weight]))
      }
    }
    return lines.map { $0.place + $0.weights.joined(separator: ", ") }.joined(separator: "\n")
  }

  private static func name(_ id: MemberID, _ name: (MemberID) -> String) -> String {
    id == .nobody ? "all" : name(id)
  }

  private static func number(_ weight: Float) -> String {
    let hundredths = Int((weight * 100).rounded())
    return hundredths % 100 == 0 ? "\(hundredths / 100)" : "\(Double(hundredths) / 100)"
  }
}
