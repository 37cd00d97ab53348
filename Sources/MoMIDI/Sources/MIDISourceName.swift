import MoCore
import MoRuntime

/// A MIDI source, as the option `--midi` names it.
package enum MIDISourceName: Hashable, Sendable {
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
  package init(_ text: String) throws(MIDIError) {
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

  /// Parses `SONG.mid` or `SONG.mid?track=2`.
  ///
  /// A `?` without a `=` after it belongs to the file's name.
  private static func file(_ text: String) throws(MIDIError) -> MIDISourceName {
    guard let mark = text.lastIndex(of: "?"), text[mark...].contains("=") else {
      return .file(text, track: nil)
    }
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
package enum MIDITargetName: Hashable, Sendable {
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
  package init(_ text: String) throws(MIDIError) {
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

/// A text with which the user names a port in an option.
///
/// The text is the port's name, its client's name, a part of these names, or numbers such as `24:0`, as `aconnect`
/// shows them.
package struct MIDIPortName: Hashable, Sendable {
  let text: String

  package init(_ text: String) { self.text = text }

  /// Returns the ports with this number (`24:0` or `24`), else the ports with exactly this name, else the ports whose
  /// name contains this text.
  ///
  /// In names, upper and lower case do not matter.
  package func matches(in ports: [MIDIPort]) -> [MIDIPort] {
    let wanted = text.lowercased()
    let numbers = ports.filter {
      "\($0.address.client):\($0.address.port)" == text || "\($0.address.client)" == text
    }
    if !numbers.isEmpty { return numbers }
    let exact = ports.filter { port in Self.names(port).contains { $0.lowercased() == wanted } }
    if !exact.isEmpty { return exact }
    return ports.filter { port in Self.names(port).contains { $0.lowercased().contains(wanted) } }
  }

  /// Returns the error that no port matches this text; the error lists the ports that exist.
  package func error(option: String, ports: [MIDIPort]) -> MIDIError {
    var names: [String] = []
    for port in ports where !names.contains(port.fullName) { names.append(port.fullName) }
    let known = ports.flatMap(Self.names)
    let nearest = Spelling.nearest(to: text, among: known.map { $0.lowercased() })
    let found = known.first { $0.lowercased() == nearest }
    return .noPort(text, option: option, nearest: found, has: names)
  }

  private static func names(_ port: MIDIPort) -> [String] { [port.fullName, port.name, port.client] }
}

/// The value that names a network session in the options `--midi` and `--midi-out`.
package enum MIDINetworkName: Hashable, Sendable {
  /// `net` or `net?port=5010`: announce this program's session, and accept the peers that join.
  ///
  /// `port` is the first of the session's two UDP ports; nil if not given.
  case session(port: Int?)
  /// `net:NAME`: join the session that Avahi finds under this name.
  case named(String)
  /// `net:HOST:PORT`: call the session at this address.
  case host(String, port: Int)

  static let forms = "net, net:NAME (momu midi list), net:HOST:PORT (1 to 65534) or net?port=5010"

  /// Parses the value of an option, such as `net:studio`.
  ///
  /// - Parameter option: the option's name, for the error's text.
  /// - Throws: `MIDIError.unknownSource` if the text has none of the `forms`.
  init(_ text: String, option: String) throws(MIDIError) {
    if text == "net" {
      self = .session(port: nil)
    } else if text.hasPrefix("net?port="), let port = wholeNumber(text.dropFirst(9)) {
      guard (1...65_534).contains(port) else { throw .unknownSource(text, option: option, forms: Self.forms) }
      self = .session(port: port)
    } else if text.hasPrefix("net:"), text.count > 4 {
      self = try Self.place(text.dropFirst(4), option: option)
    } else {
      throw .unknownSource(text, option: option, forms: Self.forms)
    }
  }

  private static func place(_ text: Substring, option: String) throws(MIDIError) -> MIDINetworkName {
    guard let colon = text.lastIndex(of: ":"), let port = wholeNumber(text[text.index(after: colon)...]),
      colon > text.startIndex
    else { return .named(String(text)) }
    guard (1...65_534).contains(port) else {
      throw .unknownSource("net:\(text)", option: option, forms: forms)
    }
    let host = text[..<colon]
    return .host(
      String(host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host), port: port)
  }

  /// Whether a text is `net`, or begins with `net:` or `net?`.
  static func isNetwork(_ text: String) -> Bool {
    text == "net" || text.hasPrefix("net:") || text.hasPrefix("net?")
  }
}
