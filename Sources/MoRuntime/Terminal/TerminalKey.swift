import Glibc

/// A key that was typed; while a key is held down, a terminal reports it again and again.
package enum TerminalKey: Equatable, Sendable {
  /// A character, or a control character: Enter is a line feed, Ctrl-A is U+0001, Esc is U+001B, Backspace is U+007F.
  case character(Character)
  case up, down, left, right
  case home, end, delete
}

/// A parser of a terminal's bytes into keys, also if a sequence of bytes arrives in several pieces.
///
/// Arrows and similar keys are sequences of three bytes or more (ECMA-48, and DEC's application mode), also with Shift
/// and other modifiers. Other sequences, and bytes that are not UTF-8, are ignored as a whole. Every sequence begins
/// with Esc. If no byte follows Esc for a while, the user has pressed the key Esc, which `pendingKey` returns.
package struct KeyParser {
  private enum Place { case plain, escape, sequence, consoleKey }
  private var place = Place.plain
  /// The first number of the present sequence, such as 3 in `ESC [ 3 ~` for the key Delete.
  private var number = 0
  private var isFirstNumber = true
  /// The bytes of an incomplete character.
  private var bytes: [UInt8] = []

  package init() {}

  /// Returns the key that this byte completes, if any.
  package mutating func key(after byte: UInt8) -> TerminalKey? {
    switch (place, byte) {
    case (_, 0x1B):
      (place, bytes) = (.escape, [])
    case (.escape, UInt8(ascii: "[")), (.escape, UInt8(ascii: "O")):
      (place, number, isFirstNumber) = (.sequence, 0, true)
    // The Linux console sends the keys F1 to F5 as ESC [ [ A to ESC [ [ E.
    case (.sequence, UInt8(ascii: "[")): place = .consoleKey
    case (.consoleKey, _): place = .plain
    // Parameters, up to the letter that identifies the sequence.
    case (.sequence, UInt8(ascii: "0")...UInt8(ascii: "9")):
      if isFirstNumber { number = min(number * 10 + Int(byte - UInt8(ascii: "0")), 999) }
    case (.sequence, 0x20...0x3F): isFirstNumber = false
    case (.sequence, _):
      place = .plain
      return key(ofSequence: byte)
    default:
      place = .plain
      return character(after: byte)
    }
    return nil
  }

  /// Whether the last byte was Esc, which is either the key Esc or the beginning of a sequence, such as an arrow key's.
  package var isAfterEscape: Bool { place == .escape }

  /// Returns the key Esc if the last byte was Esc; call it after a pause in which no byte has followed.
  package mutating func pendingKey() -> TerminalKey? {
    guard place == .escape else { return nil }
    place = .plain
    return .character("\u{1B}")
  }

  /// Returns the character that this byte completes, if any.
  ///
  /// - Source: RFC 3629, UTF-8.
  private mutating func character(after byte: UInt8) -> TerminalKey? {
    if byte < 0x80 {
      bytes = []
      return .character(Character(UnicodeScalar(byte)))
    }
    if byte >= 0xC0 { bytes = [] } else if bytes.isEmpty { return nil }
    bytes.append(byte)
    let length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2
    guard bytes.count == length else { return nil }
    defer { bytes = [] }
    guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.count == 1 else {
      return nil
    }
    return text.first.map { .character($0) }
  }

  private func key(ofSequence letter: UInt8) -> TerminalKey? {
    switch (letter, number) {
    case (UInt8(ascii: "A"), _): .up
    case (UInt8(ascii: "B"), _): .down
    case (UInt8(ascii: "C"), _): .right
    case (UInt8(ascii: "D"), _): .left
    case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), 1), (UInt8(ascii: "~"), 7): .home
    case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), 4), (UInt8(ascii: "~"), 8): .end
    case (UInt8(ascii: "~"), 3): .delete
    default: nil
    }
  }
}

/// A reader of typed keys that never waits for a key.
package struct KeyReader {
  /// The descriptor from which keys are read; nil after it was closed, and for a reader without keys.
  package private(set) var descriptor: Int32?
  private var parser = KeyParser()

  /// - Parameter descriptor: the descriptor of the terminal, which `KeyboardTerminal` has set up; nil for no keys.
  package init(_ descriptor: Int32? = STDIN_FILENO) { self.descriptor = descriptor }

  /// Whether the last byte was Esc, which is either the key Esc or the beginning of a sequence, such as an arrow key's.
  var isAfterEscape: Bool { parser.isAfterEscape }

  /// Returns the key Esc if the last byte was Esc; call it after a pause in which no byte has followed.
  mutating func pendingKey() -> TerminalKey? { parser.pendingKey() }

  /// Returns the keys that were typed since the last call, in order.
  package mutating func read() -> [TerminalKey] {
    guard let descriptor else { return [] }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else {
      if count == 0 || errno != EINTR && errno != EAGAIN { self.descriptor = nil }
      return []
    }
    return bytes[..<count].compactMap { parser.key(after: $0) }
  }
}
