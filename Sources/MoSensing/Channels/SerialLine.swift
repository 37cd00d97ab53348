/// What one line of text says: numbers, or a name and its numbers.
enum SerialLine {
  /// The most bytes that one may have.
  static let longest = 512

  /// Says the values of a line, all of them or, where it has a word that is none of these, nothing.
  ///
  /// It is gone through twice, first to see that all of it is right, so that nothing has to be kept aside.
  ///
  /// - Parameters:
  ///   - line: no more than `longest` bytes, without its end.
  ///   - header: the channels of a line of as many numbers without a name.
  /// - Returns: whether it said anything.
  static func read(
    _ line: Span<UInt8>, header: [ChannelName] = [], said: (ChannelName, Float) -> Void
  ) -> Bool {
    if !line.isEmpty, line[0] == UInt8(ascii: "{") { return JSONLine.read(line, said: said) }
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
      said(ChannelName(utf8: line.extracting(first)), value)
      return true
    }
    words = LineWords()
    let name = isNamed ? words.next(in: line) : nil
    for place in 1...count {
      guard let word = words.next(in: line), let number = Float(word: line.extracting(word)) else { break }
      let isHeaded = !isNamed && header.count == count
      said(isHeaded ? header[place - 1] : channel(line.extracting(name ?? 0..<0), place), number)
    }
    return true
  }

  /// The names of a line that holds nothing but several, set apart by commas, semicolons or tabs, as tables begin.
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

  /// The channel of the number at a place, from 1: `name/1`, and without a name `1`.
  private static func channel(_ name: Span<UInt8>, _ place: Int) -> ChannelName {
    // A name and numbers, in no more than a line: a slash and three digits are room for all.
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

/// A line's words, one after another: what stands between spaces, tabs, commas, semicolons, colons and equals signs.
private struct LineWords {
  private var index = 0

  /// Where in the line the next word stands; nil after the last.
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
