/// How much a terminal shows: a line that is too long goes on in the next row, and what is drawn anew then covers too few
/// rows and rolls away upwards.
package struct TerminalRoom: Equatable, Sendable {
  /// Columns and rows, each at least 1.
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
  }

  /// A text's lines, each cut to the columns; of too many, those in the middle are left out: at the top stands what it is
  /// about, and at the end what moves.
  package func lines(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count > rows { lines.removeSubrange((rows - 1)..<(lines.count - 1)) }
    return lines.map { cut($0) }
  }

  /// A line's beginning, as far as there are columns; colours and the like go through, so that they end as well.
  func cut(_ line: Substring) -> String {
    // As nearly all are.
    if line.utf8.count <= columns { return String(line) }
    var (cut, used, isCode) = ("", 0, false)
    for character in line {
      if isCode {
        cut.append(character)
        if character.isLetter { isCode = false }
      } else if character == "\u{1B}" {
        isCode = true
        cut.append(character)
      } else {
        used += Self.width(character)
        if used <= columns { cut.append(character) }
      }
    }
    return cut
  }

  /// The columns that a character takes; where terminals differ, the most.
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

  /// What is wide by Unicode's East Asian Width, in blocks.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
    0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
  ]
}
