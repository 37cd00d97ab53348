import MoRuntime

/// The value that names a network session in the options `--midi` and `--midi-out`.
enum MIDINetworkName: Hashable, Sendable {
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
