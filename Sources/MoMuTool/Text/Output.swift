import Glibc
import MoMu

/// Writes text to standard output, all of it; false where nobody reads any more, as behind `| head`.
///
/// It waits for a reader that is slow. A picture that is drawn over and over must not: that is for `ConsoleWriter.output`.
@discardableResult
func show(_ text: String) -> Bool {
  var text = text
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

/// Writes a line to standard error, without waiting for whoever reads it.
func complain(_ text: String) { ConsoleWriter.error.say(text + "\n") }
