import Glibc

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
