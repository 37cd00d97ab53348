import MoOrchestra

/// An instrument that plays notes of a session's tape, and the instrument names that these notes have on the tape.
struct ReplayPart {
  /// The instrument names, on the tape, of the notes that this instrument plays; the empty name stands for notes that
  /// name no instrument.
  var names: Set<String>
  var entry: InstrumentFactory
  /// The board with the patterns of a drum machine; nil for other instruments.
  var board: DrumBoard?
  /// The number of strikes, notes and melodies that the instrument plays.
  var notes: Int

  /// The names that a shared drum machine has on a tape: those of the instrument, and of a member that plays it.
  static let drums: Set<String> = ["drum-machine", "drums"]

  /// The instrument for notes whose instrument name is missing or unknown, if the tape has no movement.
  static let standIn = "tone"
  /// The largest number of instruments in a replay; if a tape has more, the instruments with the fewest notes are left
  /// out.
  static let most = InstrumentBus.most

  /// Returns the name of an event's instrument without its number: `harp` for `harp-2`, the second harp of a program.
  static func instrument(of play: SessionPlay) -> String {
    let name = play.soundingInstrument
    guard let dash = name.lastIndex(of: "-"), dash > name.startIndex,
      case let number = name[name.index(after: dash)...], !number.isEmpty, number.allSatisfy(\.isNumber)
    else { return name }
    return String(name[..<dash])
  }

  /// Returns a part that plays all notes of the tape on the instrument `name`.
  static func all(on name: String, _ summary: RecordingSummary) throws -> ReplayPart {
    let board = name == "drum-machine" ? DrumBoard(layout(in: summary)) : nil
    return ReplayPart(
      names: Set(summary.parts.keys).union(board == nil ? [] : drums), entry: try entry(name, board),
      board: board, notes: summary.parts.values.reduce(0, +))
  }

  /// Returns a part for each instrument of a tape, in descending order of the number of notes, and remarks for the
  /// user.
  ///
  /// - Throws: `ReplayError.nothingToPlay`.
  static func own(
    _ summary: RecordingSummary, path: String
  ) throws -> (parts: [ReplayPart], remarks: [String]) {
    var (parts, remarks, others): ([ReplayPart], [String], [String: Int]) = ([], [], [:])
    for (name, count) in summary.parts {
      if let entry = Instruments.all.first(where: { $0.sheet.name == name }) {
        parts.append(ReplayPart(names: [name], entry: entry, notes: count))
      } else {
        others[name] = count
      }
    }
    if summary.hasDrums {
      let board = DrumBoard(layout(in: summary))
      parts.removeAll { $0.entry.sheet.name == "drum-machine" }
      parts.append(
        ReplayPart(
          names: drums, entry: try entry("drum-machine", board), board: board,
          notes: summary.parts["drum-machine"] ?? 0))
      others["drums"] = nil
    }
    if !others.isEmpty || summary.gestures > 0 {
      // Notes from movement need an instrument that plays by movement.
      let name = summary.gestures > 0 ? Instruments.motion[0].sheet.name : standIn
      let count = others.values.reduce(0, +)
      let names = Set(others.keys).union(summary.gestures > 0 ? [""] : [])
      if let place = parts.firstIndex(where: { $0.entry.sheet.name == name }) {
        parts[place].names.formUnion(names)
        parts[place].notes += count
      } else {
        parts.append(ReplayPart(names: names, entry: try Instruments.named(name), notes: count))
      }
      remarks = remark(others, gestures: summary.gestures, on: name)
    }
    guard !parts.isEmpty else { throw ReplayError.nothingToPlay(path) }
    parts.sort { (-$0.notes, $0.entry.sheet.name) < (-$1.notes, $1.entry.sheet.name) }
    if parts.count > most {
      remarks.append(
        "\(most) instruments play at the same time: \(parts.count - most) with the fewest notes are left out")
    }
    return (Array(parts.prefix(most)), remarks)
  }

  private static func remark(_ others: [String: Int], gestures: Int, on name: String) -> [String] {
    var remarks: [String] = []
    if let count = others[""] {
      remarks.append(
        "\(counted(count, "note")) on this tape \(count == 1 ? "names" : "name") no instrument: \(name) plays them"
      )
    }
    let unknown = others.keys.filter { !$0.isEmpty }.sorted()
    if !unknown.isEmpty {
      let names = unknown.map { "\"\($0.printable)\"" }.joined(separator: ", ")
      remarks.append("no instrument is called \(names) here: \(name) plays what was played on it")
    }
    if gestures > 0 { remarks.append("players moved: \(name) plays their movement") }
    return remarks
  }

  private static func entry(_ name: String, _ board: DrumBoard?) throws -> InstrumentFactory {
    guard let board else { return try Instruments.named(name) }
    return InstrumentFactory(DrumMachine.self) { DrumMachine(board, seed: $0) }
  }

  /// Returns the size of the tape's shared drum machine: the largest size if the tape has several drum machines, the
  /// standard size if it has none.
  private static func layout(in summary: RecordingSummary) -> DrumLayout {
    summary.things.keys.sorted().compactMap(SharedDrums.layout).max { $0.count < $1.count } ?? .standard
  }
}
