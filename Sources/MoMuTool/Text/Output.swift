import Glibc
import MoMu

/// Writes all of a text to standard output; returns false if the reader has closed the pipe, as `| head` does.
///
/// It waits for a slow reader. Use `ConsoleWriter.output` for a picture that is redrawn, since that must not wait.
@discardableResult
func show(_ text: String) -> Bool {
  var text = ConsoleWriter.output.fitted(text)
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)[...]
    while !rest.isEmpty {
      let count = Glibc.write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// Writes a line to standard error without waiting for the reader.
func complain(_ text: String) { ConsoleWriter.error.say(text + "\n") }
