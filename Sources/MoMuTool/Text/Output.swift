import Glibc
import MoMu

/// Writes a whole text to standard output; returns false if the program that reads the pipe has closed it, as `| head`
/// does.
///
/// This function waits if the reading program is slow. For a picture that is redrawn and must not wait, use
/// `ConsoleWriter.output`.
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

/// Writes a line to standard error; does not wait if the terminal, or the program that reads the pipe, is slow.
func complain(_ text: String) { ConsoleWriter.error.say(text + "\n") }
