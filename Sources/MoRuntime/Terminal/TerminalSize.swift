/// The size of a terminal.
package struct TerminalSize: Equatable, Sendable {
  /// The number of columns, at least 1; `rows` is also at least 1.
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }

  /// Returns the number of columns that a text takes up in a terminal.
  package static func width(_ text: String) -> Int {
    // Nearly all texts are ASCII.
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.reduce(0) { $0 + min(2, width($1)) }
  }

  /// Returns the number of columns that a character takes up; if terminals differ, the largest number.
  static func width(_ character: Character) -> Int {
    if character.isASCII { return 1 }
    return character.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    if scalar.properties.isEmojiPresentation { return 2 }
    return wide.contains { $0.contains(scalar.value) } ? 2 : 1
  }

  /// The blocks of characters that are wide by Unicode's East Asian Width.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
  ]
}
