import Glibc
import MoCore
import MoMu

/// Writes a whole text to standard output; returns false if the program that reads the pipe has closed it, as `| head`
/// does, or if the text cannot be written.
///
/// If the text cannot be written, for example because the disk is full, the function prints the reason once, and `momu`
/// ends with status 1. The function waits if the reading program is slow. For a picture that is redrawn and must not
/// wait, use `ConsoleWriter.output`.
///
/// - Parameter isWanted: if given, the function calls it again and again while the reading program accepts nothing. If
///   the text is no longer wanted, the function returns false, and the rest of the text is lost.
@discardableResult
func show(_ text: String, while isWanted: (() -> Bool)? = nil) -> Bool {
  var text = ConsoleWriter.output.fitted(text)
  return text.withUTF8 { bytes in
    var rest = UnsafeRawBufferPointer(bytes)[...]
    while !rest.isEmpty {
      var length = rest.count
      if let isWanted {
        guard isWanted() else { return false }
        guard StandardOutput.awaitWritable() else { continue }
        length = min(length, StandardOutput.pieceLength)
      }
      let count = Glibc.write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, length)
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        StandardOutput.awaitWritable()
        continue
      }
      guard count > 0 else {
        if errno != EPIPE { StandardOutput.fail(errno) }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// The state of standard output.
enum StandardOutput {
  private static let failure = Locked(false)

  /// Whether a text could not be written; a pipe whose reader has closed it does not count.
  static var hasFailed: Bool { failure.withLock { $0 } }

  /// The number of bytes that a terminal or a pipe surely accepts at once if it reports that it is writable.
  static let pieceLength = isatty(STDOUT_FILENO) == 1 ? 64 : 4096

  /// Records that a text could not be written; prints the reason at the first call.
  ///
  /// - Parameter reason: the error number of the write.
  static func fail(_ reason: Int32) {
    let isFirst = failure.withLock { hasFailed in
      defer { hasFailed = true }
      return !hasFailed
    }
    guard isFirst else { return }
    printDiagnostic(
      "cannot write to standard output: \(String(cString: strerror(reason))); choose a file that you can write to, "
        + "on a disk with free space")
  }

  /// Waits until standard output accepts text or has failed, at most a tenth of a second; returns false if it does
  /// not.
  @discardableResult
  static func awaitWritable() -> Bool {
    var request = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&request, 1, 100) > 0
  }
}

/// Writes a line to standard error; does not wait if the terminal, or the program that reads the pipe, is slow.
func printDiagnostic(_ text: String) { ConsoleWriter.error.writeLines(text + "\n") }
