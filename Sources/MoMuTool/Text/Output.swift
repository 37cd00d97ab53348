import Glibc

/// Writes text to standard output at once, whole lines at a time.
func show(_ text: String) { write(text, to: STDOUT_FILENO) }

/// Writes a line to standard error.
func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

private func write(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
