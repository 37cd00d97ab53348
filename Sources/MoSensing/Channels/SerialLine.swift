/// A parser of a line of text: numbers, or a name and its numbers.
enum SerialLine {
  /// The longest accepted line, in bytes.
  static let longest = 512

  /// Passes all values of a line to `emit`, or no value if the line contains an invalid word.
  ///
  /// The line is read twice, the first time to check that all words are valid, so that no values must be stored.
  ///
  /// - Parameters:
  ///   - line: at most `longest` bytes, without its end.
  ///   - header: the channels for a line of numbers without a name; used only if the line has as many numbers as
  ///     `header` has channels.
  /// - Returns: whether a value was passed to `emit`.
  static func read(
    _ line: Span<UInt8>, header: [ChannelName] = [], emit: (ChannelName, Float) -> Void
  ) -> Bool {
    if !line.isEmpty, line[0] == UInt8(ascii: "{") { return JSONLine.read(line, emit: emit) }
    var words = LineWords()
    guard let first = words.next(in: line) else { return false }
    var value = Float(word: line.extracting(first))
    let isNamed = value == nil
    if isNamed, !isName(line.extracting(first)) { return false }
    var count = isNamed ? 0 : 1
    while let word = words.next(in: line) {
      guard let number = Float(word: line.extracting(word)) else { return false }
      value = number
      count += 1
    }
    guard let value else { return false }
    if isNamed, count == 1 {
      emit(ChannelName(utf8: line.extracting(first)), value)
      return true
    }
    words = LineWords()
    let name = isNamed ? words.next(in: line) : nil
    for place in 1...count {
      guard let word = words.next(in: line), let number = Float(word: line.extracting(word)) else { break }
      let isHeaded = !isNamed && header.count == count
      emit(isHeaded ? header[place - 1] : channel(line.extracting(name ?? 0..<0), place), number)
    }
    return true
  }

  /// Returns the names in a table's header line, such as `temp,light`; nil for any other line.
  ///
  /// A header line has at least two names, and nothing else. A comma, semicolon or tab separates at least two of them.
  static func names(_ line: Span<UInt8>) -> [ChannelName]? {
    var isTable = false
    for index in line.indices where line[index] == 0x2C || line[index] == 0x3B || line[index] == 0x09 {
      isTable = true
    }
    guard isTable else { return nil }
    var words = LineWords()
    var names: [ChannelName] = []
    while let word = words.next(in: line) {
      guard isName(line.extracting(word)), line[word.lowerBound] != UInt8(ascii: "{") else { return nil }
      names.append(ChannelName(utf8: line.extracting(word)))
    }
    return names.count > 1 ? names : nil
  }

  private static func isName(_ word: Span<UInt8>) -> Bool {
    guard word[0] > 0x40 || word[0] == UInt8(ascii: "/") else { return false }
    for index in word.indices where word[index] <= 0x20 || word[index] >= 0x7F { return false }
    return true
  }

  /// Returns the channel name of the number at `place`, counted from 1: `name/1`, or `1` if the line has no name.
  private static func channel(_ name: Span<UInt8>, _ place: Int) -> ChannelName {
    // The name and the numbers fit a line, so a slash and three digits are enough.
    var text = InlineArray<520, UInt8>(repeating: 0)
    var start = text.count
    var rest = place
    repeat {
      start -= 1
      text[start] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    } while rest > 0
    if !name.isEmpty {
      start -= 1
      text[start] = UInt8(ascii: "/")
      start -= name.count
      for index in name.indices { text[start + index] = name[index] }
    }
    return ChannelName(utf8: text.span.extracting(start..<text.count))
  }
}

/// The words of a line, which are separated by spaces, tabs, commas, semicolons, colons and equals signs.
private struct LineWords {
  private var index = 0

  /// Returns the range of the next word in the line; nil after the last.
  mutating func next(in line: Span<UInt8>) -> Range<Int>? {
    while index < line.count, LineWords.isGap(line[index]) { index += 1 }
    let start = index
    while index < line.count, !LineWords.isGap(line[index]) { index += 1 }
    return start < index ? start..<index : nil
  }

  private static func isGap(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
      UInt8(ascii: "="):
      true
    default: false
    }
  }
}
