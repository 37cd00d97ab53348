import Glibc

/// A key that was typed; while a key is held down, a terminal reports it again and again.
package enum TerminalKey: Equatable, Sendable {
  /// A character, or a control character: Enter is a line feed, Ctrl-A is U+0001, Esc is U+001B, Backspace is U+007F.
  case character(Character)
  /// A printable character of pasted text; a line break or a tab of the text is a space.
  case pasted(Character)
  case up, down, left, right
  case home, end, delete
}

/// A parser of a terminal's bytes into keys, also if a sequence of bytes arrives in several pieces.
///
/// Arrows and similar keys are sequences of three bytes or more (ECMA-48, and DEC's application mode), also with Shift
/// and other modifiers. Other sequences, and bytes that are not UTF-8, are ignored as a whole. Every sequence begins
/// with Esc. If no byte follows Esc for a while, the user has pressed the key Esc, which `pendingKey` returns.
///
/// The terminal sends pasted text between `ESC [ 200 ~` and `ESC [ 201 ~` (xterm's "bracketed paste", mode 2004).
package struct KeyParser {
  private enum Place { case plain, escape, sequence, consoleKey }
  private var place = Place.plain
  /// The first number of the present sequence, such as 3 in `ESC [ 3 ~` for the key Delete.
  private var number = 0
  private var isFirstNumber = true
  /// The bytes of an incomplete character.
  private var bytes: [UInt8] = []
  /// Whether pasted text has begun and its end has not arrived yet.
  package private(set) var isPasting = false

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
      return character(after: byte).flatMap { isPasting ? Self.pasted($0) : .character($0) }
    }
    return nil
  }

  /// The pause after which `pendingKey` has a result: the last byte was Esc, or pasted text has not ended; nil for none.
  var pause: Duration? { isPasting ? Self.pastePause : place == .escape ? Self.escapePause : nil }

  /// The time after an Esc byte within which the rest of a sequence arrives, even over a slow connection.
  private static let escapePause = Duration.milliseconds(100)
  /// The time without a byte after which pasted text counts as ended.
  ///
  /// The end of the text can be lost, for example if a connection breaks. Then the keys would have no effect any more.
  private static let pastePause = Duration.seconds(2)

  /// Returns the key Esc if the last byte was Esc, and ends pasted text; call it after a pause without a byte.
  package mutating func pendingKey() -> TerminalKey? {
    defer { (place, isPasting) = (.plain, false) }
    return place == .escape && !isPasting ? .character("\u{1B}") : nil
  }

  /// Returns a character as pasted text; nil for a control character, except for a line break or a tab.
  private static func pasted(_ character: Character) -> TerminalKey? {
    if ["\n", "\r", "\t"].contains(character) { return .pasted(" ") }
    return character.unicodeScalars.allSatisfy(\.isPrintable) ? .pasted(character) : nil
  }

  /// Returns the character that this byte completes, if any.
  ///
  /// - Source: RFC 3629, UTF-8.
  private mutating func character(after byte: UInt8) -> Character? {
    if byte < 0x80 {
      bytes = []
      return Character(UnicodeScalar(byte))
    }
    if byte >= 0xC0 { bytes = [] } else if bytes.isEmpty { return nil }
    bytes.append(byte)
    let length = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : 2
    guard bytes.count == length else { return nil }
    defer { bytes = [] }
    guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.count == 1 else {
      return nil
    }
    return text.first
  }

  private mutating func key(ofSequence letter: UInt8) -> TerminalKey? {
    if letter == UInt8(ascii: "~"), number == 200 || number == 201 { isPasting = number == 200 }
    // The text itself may contain sequences.
    guard !isPasting else { return nil }
    return switch (letter, number) {
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

  /// Whether the last call of `read` has read a byte.
  private(set) var hasRead = false

  /// The pause after which `pendingKey` has a result; nil if it has none, or if the descriptor was closed.
  var pause: Duration? { descriptor == nil ? nil : parser.pause }

  /// Returns the key Esc if the last byte was Esc, and ends pasted text; call it after a pause without a byte.
  mutating func pendingKey() -> TerminalKey? { parser.pendingKey() }

  /// Returns the keys that were typed since the last call, in order.
  package mutating func read() -> [TerminalKey] {
    hasRead = false
    guard let descriptor else { return [] }
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&request, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count > 0 else {
      if count == 0 || errno != EINTR && errno != EAGAIN { self.descriptor = nil }
      return []
    }
    hasRead = true
    return bytes[..<count].compactMap { parser.key(after: $0) }
  }
}
