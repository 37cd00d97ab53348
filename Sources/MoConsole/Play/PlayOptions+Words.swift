extension PlayOptions {
  /// The help text of the options for playing an instrument: `--notes`, `--tempo` and others.
  package static let help = """
      --notes "C4 E4 C4+E4+G4 -"  notes to play, one beat each
      --tempo BPM                 tempo (default 120); starts a rhythm; ignored in a room
      --set NAME=VALUE            set a parameter at the start; can be repeated
      --mapping FILE              movement mapping; reloaded when the file is saved
      --tape FILE                 recorded movement; short for --accel tape:FILE
    """

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
      guard let wanted = Self.values[parts[0]] else {
        others.append(word)
        continue
      }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst(), !value.isEmpty else {
        throw PlayError.missing(option: parts[0], value: wanted)
      }
      if parts[0] == "--tape" {
        others.append("--accel=tape:\(value)")
      } else {
        try take(parts[0], value)
      }
    }
    if others.filter({ $0.hasPrefix("--accel") }).count > 1,
      others.contains(where: { $0.hasPrefix("--accel=tape:") })
    {
      throw PlayError.tapeAndAccel
    }
    words = others
  }

  /// The options with the words that stand for their values in error texts, such as `BPM` in `--tempo BPM`.
  private static let values = [
    "--notes": "NOTES", "--tempo": "BPM", "--set": "NAME=VALUE", "--mapping": "FILE", "--tape": "FILE",
  ]

  private mutating func take(_ option: String, _ value: String) throws {
    do throws(PlayError) {
      switch option {
      case "--tempo": tempo = try Self.tempo(value)
      case "--set": settings.append(try PlaySetting(value))
      case "--mapping": mapping = value
      default: break
      }
    } catch {
      throw PlayError.refused(option: option, value: value, wants: "\(error)")
    }
    if option == "--notes" { notes = try NoteText(value) }
  }
}
