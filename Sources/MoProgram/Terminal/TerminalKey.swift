/// A key that was typed; of a key that is held a terminal tells only that it is typed again.
package enum TerminalKey: Equatable, Sendable {
  /// One of ASCII's; Enter is a line feed.
  case character(Character)
  case up, down, left, right
}

/// Finds keys in a terminal's bytes, however they are cut up.
///
/// Arrows come as sequences of three bytes or more (ECMA-48, and DEC's application mode), with Shift and the like
/// among them; other sequences, and letters beyond ASCII, are left out whole.
package struct KeyParser {
  private enum Place { case plain, escape, sequence }
  private var place = Place.plain

  package init() {}

  /// The key that this byte completes, if any.
  package mutating func key(after byte: UInt8) -> TerminalKey? {
    switch (place, byte) {
    case (_, 0x1B): place = .escape
    case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")): place = .sequence
    // Parameters, until the letter that says what it is.
    case (.sequence, 0x20...0x3F): break
    case (.sequence, _):
      place = .plain
      return KeyParser.arrow(byte)
    default:
      place = .plain
      return byte < 0x80 ? .character(Character(UnicodeScalar(byte))) : nil
    }
    return nil
  }

  private static func arrow(_ letter: UInt8) -> TerminalKey? {
    switch letter {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }
}
