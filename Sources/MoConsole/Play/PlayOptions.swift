import MoMu

/// The options for playing an instrument: notes, tempo, settings, mapping and SoundFont.
///
/// The options that every program has, such as `--seconds`, are not among them.
package struct PlayOptions: Sendable {
  /// The notes to play, each with a length of one beat, such as `C4 E4 C4+E4+G4 -`; nil for none.
  package var notes: NoteText?
  /// The tempo; nil if the option `--tempo` is not given.
  package var tempo: Tempo?
  /// The parameters to set at the start, with their values.
  package var settings: [PlaySetting] = []
  /// The path of a mapping file; nil for the instrument's own mapping.
  package var mapping: String?
  /// The path of a SoundFont file to play in place of the piano; nil for none.
  package var soundfont: String?

  package init() {}

  /// Parses a tempo in beats per minute; throws `badTempo` unless the text is a number from 20 to 999.
  package static func tempo(_ text: String) throws(PlayError) -> Tempo {
    guard let tempo = Double(text), Tempo.range.contains(tempo) else { throw .badTempo }
    return Tempo(tempo)
  }

  /// Returns the tempo of the rhythm; nil for no rhythm.
  ///
  /// Without `--tempo`, the result is 120 for an instrument that has a grid but no parameter `tempo`, since this
  /// instrument plays only with a rhythm. For other instruments, the result is nil.
  package func rhythm(for entry: InstrumentFactory) -> Tempo? {
    let needsOne = entry.sheet.grid != nil && !entry.parameters.contains { $0.name == "tempo" }
    return tempo ?? (needsOne ? 120 : nil)
  }

  /// Returns a warning for each setting whose value is out of the parameter's range.
  ///
  /// - Throws: `InstrumentError.unknownParameter`.
  package func remarks(on entry: InstrumentFactory) throws(InstrumentError) -> [String] {
    var remarks: [String] = []
    for setting in settings {
      if let remark = try setting.remark(for: entry) { remarks.append(remark) }
    }
    return remarks
  }
}

extension PlayOptions {
  /// The help text of the options for playing an instrument: `--notes`, `--tempo` and others.
  package static var help: String {
    let rows = PlayOption.table.map { ("\($0.flag) \($0.value)", $0.help) }
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { "  \($0.padded(to: width))  \($1)" }.joined(separator: "\n")
  }

  /// Removes the play options from a command line and parses them.
  ///
  /// - Parameter words: the command line without the program's name. After the call, only the words that `MoApp.run`
  ///   must parse are left.
  /// - Throws: `PlayError` or `InstrumentError`.
  package init(taking words: inout [String]) throws {
    self.init()
    var others: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = PlayOption.table.first(where: { $0.flag == parts[0] }) else {
        others.append(word)
        continue
      }
      guard let text = parts.count == 2 ? parts[1] : rest.popFirst(), !text.isEmpty else {
        throw PlayError.missing(option: option.flag, value: option.value)
      }
      guard let read = option.read else {
        others.append("--accel=tape:\(text)")
        continue
      }
      do { try read(&self, text) } catch let error as PlayError {
        throw PlayError.refused(option: option.flag, value: text, wants: "\(error)")
      }
    }
    if others.filter({ $0.hasPrefix("--accel") }).count > 1,
      others.contains(where: { $0.hasPrefix("--accel=tape:") })
    {
      throw PlayError.tapeAndAccel
    }
    words = others
  }
}

/// An option for playing an instrument: its name, its value and its help text.
package struct PlayOption: Sendable {
  package let name: String
  /// The value's name in the help text, such as `BPM`.
  package let value: String
  package let help: String
  /// Reads the option's text into the options; nil for `--tape`, for which the program gets `--accel=tape:FILE`.
  let read: (@Sendable (inout PlayOptions, String) throws -> Void)?

  /// The option as the user types it, such as `--tempo`.
  package var flag: String { "--\(name)" }

  /// Returns the option with the name `name`, which must be in `table`.
  package static func named(_ name: String) -> PlayOption {
    guard let option = table.first(where: { $0.name == name }) else {
      preconditionFailure("no option --\(name)")
    }
    return option
  }

  /// The options; help and parsing use this table.
  package static let table: [PlayOption] = [
    PlayOption(
      name: "notes", value: "NOTES", help: "notes to play, one beat each: \"C4 E4 C4+E4+G4 - F#3\"",
      read: { $0.notes = try NoteText($1) }),
    PlayOption(
      name: "tempo", value: "BPM", help: "tempo (default 120); starts a rhythm; ignored in a room",
      read: { $0.tempo = try PlayOptions.tempo($1) }),
    PlayOption(
      name: "set", value: "NAME=VALUE", help: "set a parameter at the start; can be repeated",
      read: { $0.settings.append(try PlaySetting($1)) }),
    PlayOption(
      name: "mapping", value: "FILE", help: "movement mapping; reloaded when the file is saved",
      read: { $0.mapping = $1 }),
    PlayOption(
      name: "tape", value: "FILE", help: "recorded movement; short for --accel tape:FILE", read: nil),
  ]
}

/// A parameter and its value, as typed: `brightness=0.8`.
package struct PlaySetting: Equatable, Sendable {
  package let name: String
  package let value: Float

  /// Parses a setting such as `brightness=0.8`; throws `badSetting` for any other format.
  package init(_ text: String) throws(PlayError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let value = Float(parts[1]), value.isFinite else {
      throw .badSetting
    }
    (name, self.value) = (String(parts[0]), value)
  }

  /// Returns a warning if the value is out of the range of an instrument's parameter; otherwise nil.
  ///
  /// - Throws: `InstrumentError.unknownParameter`.
  package func remark(for entry: InstrumentFactory) throws(InstrumentError) -> String? {
    let instrument = entry.sheet.name
    let parameters = entry.allParameters
    guard let parameter = parameters.first(where: { $0.name == name }) else {
      throw .unknownParameter(instrument: instrument, name: name, has: parameters.map(\.name))
    }
    guard !parameter.range.contains(value) else { return nil }
    let nearest = ParameterText.value(parameter.taken(value) ?? parameter.initial, of: parameter)
    return
      "\(instrument)'s \(name) goes from \(ParameterText.value(parameter.range.lowerBound, of: parameter)) to "
      + "\(ParameterText.value(parameter.range.upperBound, of: parameter)): \(ParameterText.number(value)) counts as \(nearest)"
  }
}

/// An error in the options for playing an instrument; its text says what to type.
package enum PlayError: Error, CustomStringConvertible, Equatable {
  case badSetting
  case badTempo
  case missing(option: String, value: String)
  case tapeAndAccel
  /// The option `--room` was given to a program that cannot join a room.
  case alone
  /// The value of an option is not valid; `wants` describes the valid values.
  case refused(option: String, value: String, wants: String)

  package var description: String {
    switch self {
    case .badSetting: "must be NAME=NUMBER, such as brightness=0.8"
    case .badTempo: "must be 20 to 999 beats per minute"
    case .alone:
      "this program cannot join a room: import MoConsole and call MoApp.playTogether instead of MoApp.play, or play "
        + "the instrument's file: momu run FILE --room NAME"
    case .missing(let option, let value): "\(option) needs a value: \(option) \(value)"
    case .tapeAndAccel: "--tape FILE is short for --accel tape:FILE: type only one of them"
    case .refused(let option, let value, let wants): "\(option) is \"\(value)\", but \(wants)"
    }
  }
}
