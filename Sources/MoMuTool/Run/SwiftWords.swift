/// The words and symbols of Swift source, without comments and string literals.
enum SwiftWords {
  static func words(in text: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    var rest = Array(text.utf8)[...]
    func close() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    while let byte = rest.first {
      if starts(rest, "//") {
        close()
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if starts(rest, "/*") {
        close()
        skipComment(&rest)
      } else if byte == UInt8(ascii: "\"") {
        close()
        skipQuotation(&rest)
      } else {
        rest.removeFirst()
        let character = Character(UnicodeScalar(byte))
        if character.isLetter || character.isNumber || character == "_" || byte >= 0x80 {
          word.append(byte)
        } else {
          close()
          if !character.isWhitespace { words.append(String(character)) }
        }
      }
    }
    close()
    return words
  }

  private static func starts(_ rest: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
    rest.starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Skips a comment; comments may be nested.
  private static func skipComment(_ rest: inout ArraySlice<UInt8>) {
    var depth = 0
    repeat {
      if starts(rest, "/*") { depth += 1 }
      if starts(rest, "*/") { depth -= 1 }
      let isMark = starts(rest, "/*") || starts(rest, "*/")
      rest = rest.dropFirst(isMark ? 2 : 1)
    } while depth > 0 && !rest.isEmpty
  }

  /// Skips a string literal of one line, or of several lines between triple quotes.
  private static func skipQuotation(_ rest: inout ArraySlice<UInt8>) {
    let isLong = starts(rest, "\"\"\"")
    rest = rest.dropFirst(isLong ? 3 : 1)
    while let byte = rest.first {
      if isLong ? starts(rest, "\"\"\"") : byte == UInt8(ascii: "\"") { break }
      if !isLong, byte == UInt8(ascii: "\n") { return }
      rest = rest.dropFirst(byte == UInt8(ascii: "\\") ? 2 : 1)
    }
    rest = rest.dropFirst(isLong ? 3 : 1)
  }
}
