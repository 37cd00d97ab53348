import MoNetwork

/// What is wrong with a value, and what to write instead; whose line it is, the reader knows.
struct RigMistake: Error {
  let text: String

  init(_ text: String) { self.text = text }
}

/// What values have to be.
enum RigValue {
  /// Whether a text can be part of an OSC address.
  static func isWord(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 64
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
      }
  }

  /// - Parameter example: what to write, for who wrote something else.
  static func checkWord(_ text: String, such example: String) throws(RigMistake) {
    guard !isWord(text) else { return }
    throw RigMistake(
      "\"\(text)\" is no name: use one word of letters, digits, - and _, such as \(example)")
  }

  /// - Source: OSC 1.0, *OSC Address Spaces and OSC Addresses*: printable ASCII but for these.
  static func checkAddress(_ text: String) throws(RigMistake) {
    let isAddress =
      text.utf8.count > 1 && text.utf8.first == 0x2F
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !" #*,?[]{}".utf8.contains($0) }
    guard !isAddress else { return }
    throw RigMistake(
      "\"\(text)\" is no OSC address: it begins with / and has no spaces, such as /tilt")
  }

  static func checkTarget(_ text: String) throws(RigMistake) {
    do throws(NetError) { try MoNet.check(text) } catch { throw RigMistake(error.description) }
  }

  /// What `yes` and `no` mean.
  static func isYes(_ text: String, for name: String) throws(RigMistake) -> Bool {
    switch text.lowercased() {
    case "yes": true
    case "no": false
    default: throw RigMistake("\"\(text)\" is neither: write \(name) = yes or \(name) = no")
    }
  }
}
