import MoNetwork

/// A mistake in a value, with the text to write instead; the parser of the configuration adds the line's number.
package struct RigMistake: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// The functions that check and parse the values in a configuration.
package enum RigValue {
  /// Returns whether a text is a name that can be part of an OSC address: 1 to 64 letters, digits, - and _.
  static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
      }
  }

  /// Throws a mistake if a text is not a valid name; see `isWord`.
  ///
  /// - Parameter example: the name that the error text suggests.
  static func checkWord(_ text: String, such example: String) throws(RigMistake) {
    guard !isWord(text) else { return }
    throw RigMistake(
      "\"\(text)\" is not a name: use letters, digits, - and _, such as \(example)")
  }

  /// Throws a mistake if a text is not a valid OSC address: `/`, then printable ASCII except for space and `#*,?[]{}`.
  ///
  /// - Source: OSC 1.0, *OSC Address Spaces and OSC Addresses*.
  static func checkAddress(_ text: String) throws(RigMistake) {
    let isAddress =
      text.utf8.count > 1 && text.utf8.first == 0x2F
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !" #*,?[]{}".utf8.contains($0) }
    guard !isAddress else { return }
    throw RigMistake(
      "\"\(text)\" is not an OSC address: begin it with /, and leave out spaces and #*,?[]{}, such as /tilt")
  }

  static func checkTarget(_ text: String) throws(RigMistake) {
    if RigStream.isMIDI(text) {
      guard text.count > RigStream.midiPrefix.count else {
        throw RigMistake("\"\(text)\" names no MIDI port: write a part of its name, such as midi:FLUID")
      }
      return
    }
    do throws(NetError) { try MoNet.check(text) } catch { throw RigMistake(error.description) }
    let host = host(of: text)
    // A name whose last part is a number is not valid (RFC 1123, 2.1): it is an address with a typing error.
    if host.split(separator: ".").last?.allSatisfy(\.isNumber) == true, !isAddress(host) {
      throw RigMistake(
        "\"\(text)\" is not a target: each number of the address \(host) must be 0 to 255, such as 192.168.0.7"
      )
    }
  }

  /// Returns the host name or address of a target.
  static func host(of target: String) -> String {
    var rest = target[...]
    for scheme in ["tcp:", "udp:", "slip:"] where rest.hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
    }
    guard let colon = rest.lastIndex(of: ":") else { return String(rest) }
    rest = rest[..<colon]
    if rest.hasPrefix("["), rest.hasSuffix("]") { return String(rest.dropFirst().dropLast()) }
    return String(rest.prefix { $0 != "%" })
  }

  /// Returns whether the host of a target is a name that must be looked up; false for an IP address or a broadcast.
  package static func needsLookup(_ target: String) -> Bool {
    let host = host(of: target)
    return host != "broadcast" && !isAddress(host)
  }

  private static func isAddress(_ text: String) -> Bool {
    NetAddress(ip: text, port: 0) != nil
  }

  /// Parses a range such as `0..1`: the lowest and the highest value.
  static func range(_ text: String) throws(RigMistake) -> ClosedRange<Double> {
    // With three dots, as in Swift, the third would begin the highest value: 0...1 would be 0..0.1.
    guard let dots = text.firstRange(of: ".."), !text[dots.upperBound...].hasPrefix("."),
      let low = Double(text[..<dots.lowerBound].filter { $0 != " " }),
      let high = Double(text[dots.upperBound...].filter { $0 != " " }), low < high, low.isFinite,
      high.isFinite
    else {
      throw RigMistake(
        "\"\(text)\" is not a range: write the lowest value, two dots and the highest value, such as "
          + "range = 0..1")
    }
    return low...high
  }

  /// Returns true for the text `yes`, and false for `no`.
  static func isYes(_ text: String, for name: String) throws(RigMistake) -> Bool {
    switch text.lowercased() {
    case "yes": true
    case "no": false
    default: throw RigMistake("\"\(text)\" is not yes or no: write \(name) = yes or \(name) = no")
    }
  }
}
