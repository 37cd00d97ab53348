import Glibc

/// Writes text to standard output at once; false where nobody reads any more, as behind `| head`.
@discardableResult
func show(_ text: String) -> Bool { write(text, to: STDOUT_FILENO) }

/// Writes a line to standard error.
func complain(_ text: String) { _ = write(text + "\n", to: STDERR_FILENO) }

private func write(_ text: String, to descriptor: Int32) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
