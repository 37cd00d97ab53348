import Glibc
import MoCore

/// The log of MoMu's messages, such as warnings.
///
/// The handler does not receive text that programs write directly to the terminal. `MoApp`, `momu` and
/// `momu-rig` write their errors, results and displays in this way, and `RealTimeCheck` writes its reports in
/// this way.
///
/// - Thread: any but the audio thread's callback.
public enum MoLog {
  /// The importance of a message.
  public enum Level: Int, Sendable, Comparable {
    /// A message for developers who look for a fault.
    case debug
    /// A message of one line about a choice that the program made, or about a change.
    case notice
    /// A message that something is wrong, although the program continues.
    case warning

    /// Returns whether `left` is less important than `right`.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// The function `handler`, in a structure of its own.
  ///
  /// A closure that a generic type stores directly is wrapped again by the compiler (swiftc 6) each time it is read and
  /// stored back. Each wrapper takes memory, and stack space when the closure is called.
  private struct Handler: Sendable {
    var log: @Sendable (Level, String) -> Void
  }

  private static let current = Locked(Handler(log: standardError))

  /// The function that receives each message; by default it prints a line on standard error, except for debug messages.
  ///
  /// - Thread: MoMu calls it on any thread, possibly on several threads at the same time. It must return quickly.
  public static var handler: @Sendable (Level, String) -> Void {
    get { current.withLock { $0 }.log }
    set { current.withLock { $0 = Handler(log: newValue) } }
  }

  /// Passes a message to the handler.
  public static func log(_ level: Level, _ text: String) { handler(level, text) }

  /// Writes a message as a line on standard error.
  ///
  /// If standard error cannot accept the line immediately, the line is dropped and counted, so that no thread waits.
  @Sendable
  public static func standardError(_ level: Level, _ text: String) {
    guard level > .debug else { return }
    ConsoleWriter.error.writeLines(text + "\n")
  }
}

/// Writes a text to a file descriptor; if a write fails, the rest of the text is dropped.
package func writeAll(_ text: String, to descriptor: Int32) {
  var text = text
  text.withUTF8 { bytes in
    var done = 0
    while done < bytes.count {
      let count = write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      done += count
    }
  }
}
