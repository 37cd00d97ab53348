import Glibc

/// Reads keys as they are typed; never waits for one.
package struct KeyReader {
  /// Where they come from; nil once that was closed.
  package private(set) var descriptor: Int32?
  private var parser = KeyParser()

  /// - Parameter descriptor: the terminal's, which `KeyboardTerminal` has made a keyboard; nil for no keys.
  package init(_ descriptor: Int32? = STDIN_FILENO) { self.descriptor = descriptor }

  /// The keys that have come since, in order.
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
