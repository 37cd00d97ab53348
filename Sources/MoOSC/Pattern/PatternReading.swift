extension PatternMachine {
  /// Compiles a pattern; returns nil for a plain address, without wildcards.
  ///
  /// - Throws: `OSCError.unsendable` if the pattern or address is invalid, or if the pattern is too long.
  init?(_ bytes: [UInt8], _ text: String) throws(OSCError) {
    var reader = PatternReader(bytes: bytes, text: text)
    try reader.read()
    guard reader.hasWildcards else { return nil }
    guard bytes.count <= OSCAddressPattern.longest, reader.steps.count < StateSet.capacity else {
      throw .unsendable(
        "the pattern has \(bytes.count) bytes, but must have at most \(OSCAddressPattern.longest)")
    }
    var prefix: [UInt8] = []
    for step in reader.steps {
      guard case .byte(let byte) = step else { break }
      prefix.append(byte)
    }
    self.init(
      prefix: prefix, steps: PatternReader.moved(reader.steps[prefix.count...], by: prefix.count) + [.end])
  }
}

/// A parser of patterns, from left to right.
private struct PatternReader {
  let bytes: [UInt8]
  let text: String
  var place = 0
  var steps: [PatternMachine.Step] = []
  var hasWildcards = false

  init(bytes: [UInt8], text: String) {
    self.bytes = bytes
    self.text = text
  }

  mutating func read() throws(OSCError) {
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "?"): wild(.any)
      case UInt8(ascii: "*"):
        // Several stars in a row equal one star.
        if case .star? = steps.last { continue }
        wild(.star)
      case UInt8(ascii: "["): wild(.set(try readSet()))
      case UInt8(ascii: "{"): try readWords()
      case UInt8(ascii: "/") where place < bytes.count && bytes[place] == UInt8(ascii: "/"):
        while place < bytes.count, bytes[place] == UInt8(ascii: "/") { place += 1 }
        steps.append(.byte(byte))
        wild(.levels)
        steps.append(.withinLevel)
      default: steps.append(.byte(try plain(byte)))
      }
    }
  }

  private mutating func wild(_ step: PatternMachine.Step) {
    hasWildcards = true
    steps.append(step)
  }

  /// Returns the given byte if it stands for itself in a pattern.
  ///
  /// - Throws: an error for a control character, a space or a reserved character.
  private func plain(_ byte: UInt8) throws(OSCError) -> UInt8 {
    switch byte {
    case 0...0x20, 0x7F, UInt8(ascii: "#"), UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
      let shown = byte == 0x20 ? "a space" : byte < 0x20 || byte == 0x7F ? "a control character" : nil
      throw .unsendable(
        "the address '\(text)' contains \(shown ?? "'\(Character(Unicode.Scalar(byte)))'"), which is not allowed in an address"
      )
    default: return byte
    }
  }

  private mutating func readSet() throws(OSCError) -> ByteSet {
    var set = ByteSet()
    let start = place
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "]"): return set
      case UInt8(ascii: "!") where place == start + 1: set.isNegated = true
      case UInt8(ascii: "-") where isRange(from: start):
        // The first end is in the set already; the ends may be in either order.
        let (one, other) = (bytes[place - 2], bytes[place])
        for byte in min(one, other)...max(one, other) { set.insert(byte) }
        place += 1
      case 0..<0x20, 0x7F: _ = try plain(byte)
      default: set.insert(byte)
      }
    }
    throw .unsendable("in the pattern '\(text)' a '[' is not closed by ']'")
  }

  /// Returns whether the '-' that was just read stands between two bytes, as in `[a-z]`.
  ///
  /// At the beginning or the end of a set, '-' matches itself.
  ///
  /// - Parameter start: the index of the first byte after the '['.
  private func isRange(from start: Int) -> Bool {
    let dash = place - 1
    let first = bytes[start] == UInt8(ascii: "!") ? start + 1 : start
    return dash > first && place < bytes.count && bytes[place] != UInt8(ascii: "]")
  }

  private mutating func readWords() throws(OSCError) {
    guard let close = bytes[place...].firstIndex(of: UInt8(ascii: "}")) else {
      throw .unsendable("in the pattern '\(text)' a '{' is not closed by '}'")
    }
    hasWildcards = true
    let words = bytes[place..<close].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let end =
      steps.count + words.reduce(0) { $0 + $1.count + 2 } - 2
    for (index, word) in words.enumerated() {
      let isLast = index == words.count - 1
      if !isLast { steps.append(.fork(steps.count + word.count + 2)) }
      for byte in word {
        guard byte != UInt8(ascii: "{") else {
          throw .unsendable("in the pattern '\(text)' a '{' is inside another")
        }
        guard byte != UInt8(ascii: "/") else {
          throw .unsendable("in the pattern '\(text)' a '/' is between '{' and '}'")
        }
        steps.append(.byte(try plain(byte)))
      }
      if !isLast { steps.append(.jump(end)) }
    }
    place = close + 1
  }

  /// Returns the steps with the target indices of jumps and forks lowered by `count`, because `count` steps before the
  /// given steps were cut off.
  static func moved(_ steps: ArraySlice<PatternMachine.Step>, by count: Int) -> [PatternMachine.Step] {
    steps.map { step in
      switch step {
      case .fork(let place): .fork(place - count)
      case .jump(let place): .jump(place - count)
      default: step
      }
    }
  }
}
