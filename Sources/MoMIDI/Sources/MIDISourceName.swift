/// A MIDI source, as the option `--midi` names it.
enum MIDISourceName: Hashable, Sendable {
  /// `all`: all keyboards, also keyboards that are connected later.
  case keyboards
  /// The ports that match a name.
  case port(MIDIPortName)
  /// `tape:FILE`: the MIDI messages of a tape.
  case tape(String)
  /// `file:SONG.mid` or `file:SONG.mid?track=2`: a Standard MIDI File; `track` counts from 1, and is nil without
  /// `?track`.
  case file(String, track: Int?)
  /// `sim:scale` or `sim:chords`: a simulated player.
  case simulated(SimulatedMIDI.Player)
  /// `net`, `net:NAME` or `net:HOST:PORT`: a network session.
  case network(MIDINetworkName)
  /// `none`: no source.
  case nothing

  static let forms =
    "a port's name (momu midi list), net, net:NAME, net:HOST:PORT, tape:FILE, file:SONG.mid, sim:scale, sim:chords or none"

  /// Parses the value of the option `--midi`.
  ///
  /// - Throws: `MIDIError.unknownSource` if the text has none of the `forms`.
  init(_ text: String) throws(MIDIError) {
    if MIDINetworkName.isNetwork(text) {
      self = .network(try MIDINetworkName(text, option: "midi"))
      return
    }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let detail = parts.count == 2 ? parts[1] : nil
    switch (parts[0], detail) {
    case ("all", nil): self = .keyboards
    case ("none", nil): self = .nothing
    case ("tape", let path?) where !path.isEmpty: self = .tape(path)
    case ("file", let path?) where !path.isEmpty: self = try Self.file(path)
    case ("sim", let name):
      guard let player = SimulatedMIDI.Player(rawValue: name ?? "scale") else { throw Self.error(text) }
      self = .simulated(player)
    case ("tape", _), ("file", _), ("", _): throw Self.error(text)
    default: self = .port(MIDIPortName(text))
    }
  }

  private static func file(_ text: String) throws(MIDIError) -> MIDISourceName {
    guard let mark = text.lastIndex(of: "?") else { return .file(text, track: nil) }
    let setting = text[text.index(after: mark)...]
    guard setting.hasPrefix("track="), let track = Int(setting.dropFirst(6)), track > 0 else {
      throw .unknownSource(
        "?\(setting)", option: "midi", forms: "file:SONG.mid?track=2, which plays one track")
    }
    return .file(String(text[..<mark]), track: track)
  }

  private static func error(_ text: String) -> MIDIError {
    .unknownSource(text, option: "midi", forms: forms)
  }
}

/// A MIDI target, as the option `--midi-out` names it.
enum MIDITargetName: Hashable, Sendable {
  /// All receivers that are connected to this program's own port.
  case subscribers
  /// The ports that match a name.
  case port(MIDIPortName)
  /// `file:TAKE.mid`: a Standard MIDI File to write.
  case file(String)
  /// `net`, `net:NAME` or `net:HOST:PORT`: a network session.
  case network(MIDINetworkName)
  /// `none`: no target; the messages are dropped.
  case nothing

  /// Parses the value of the option `--midi-out`.
  ///
  /// - Throws: `MIDIError.unknownSource`.
  init(_ text: String) throws(MIDIError) {
    switch text {
    case "none": self = .nothing
    case "file:", "":
      throw .unknownSource(
        text, option: "midi-out",
        forms: "a port's name (momu midi list), net, net:NAME, file:TAKE.mid or none")
    case let text where MIDINetworkName.isNetwork(text):
      self = .network(try MIDINetworkName(text, option: "midi-out"))
    case let text where text.hasPrefix("file:"): self = .file(String(text.dropFirst(5)))
    default: self = .port(MIDIPortName(text))
    }
  }
}
