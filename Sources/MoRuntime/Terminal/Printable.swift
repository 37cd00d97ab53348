extension String {
  /// The text with all control characters escaped, such as `\u{1b}`.
  ///
  /// Every text from outside passes through here before a person sees it: addresses, names, values, file names,
  /// processes. The escaped characters are those that `Unicode.Scalar.isPrintable` refuses. An escape sequence clears a
  /// screen, a line feed forges a line, and a bidirectional mark reverses the text next to it.
  package var printable: String {
    guard unicodeScalars.contains(where: { !$0.isPrintable }) else { return self }
    return unicodeScalars.reduce(into: "") { text, scalar in
      text += scalar.isPrintable ? String(scalar) : scalar.writtenOut
    }
  }

  /// The text with all control characters escaped, except line feeds and the colour sequences `ESC [ … m`.
  ///
  /// Text for a console passes through here again, in case a text from outside was not escaped before.
  package var printableLines: String {
    let scalars = Array(unicodeScalars)
    guard scalars.contains(where: { !$0.isPrintable && $0 != "\n" }) else { return self }
    var text = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      let end = Self.endOfColour(scalars, from: index)
      if end > index {
        text.append(contentsOf: scalars[index..<end])
      } else if scalars[index] == "\n" || scalars[index].isPrintable {
        text.append(scalars[index])
      } else {
        text.append(contentsOf: scalars[index].writtenOut.unicodeScalars)
      }
      index = max(end, index + 1)
    }
    return String(text)
  }

  /// Returns the index after a colour sequence that starts at an index; returns that index if there is none.
  private static func endOfColour(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
    guard scalars[start] == "\u{1B}", start + 1 < scalars.count, scalars[start + 1] == "[" else {
      return start
    }
    let end = scalars[(start + 2)...].firstIndex { !("0"..."9").contains($0) && $0 != ";" }
    return end.map { scalars[$0] == "m" ? $0 + 1 : start } ?? start
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is neither a control or format character (such as a bidirectional mark) nor a line break.
  package var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  fileprivate var writtenOut: String { "\\u{\(String(value, radix: 16))}" }
}

extension StringProtocol {
  /// The text without white space at its ends.
  package var trimmed: SubSequence {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return self[endIndex...] }
    return self[first...last]
  }
}

extension String {
  /// Returns the text, padded with spaces to a width in characters; returns a longer text unchanged.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

/// Returns a number with its noun: `1 message`, `2 messages`.
package func counted(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
