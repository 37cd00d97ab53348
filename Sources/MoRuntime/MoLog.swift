import Glibc
import MoCore

/// Where the package's messages go; nothing else in it prints.
///
/// - Thread: any but the audio thread's callback.
public enum MoLog {
  /// How much a message matters.
  public enum Level: Int, Sendable, Comparable {
    /// For whoever hunts a fault.
    case debug
    /// What was chosen, or what changed, in one line.
    case notice
    /// Something is wrong, and the program goes on.
    case warning

    /// Whether `left` matters less.
    public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// Kept in a structure of its own: a closure that is read out of a generic place, and put back, is wrapped anew each
  /// time (swiftc 6), which takes memory, and stack when it is called.
  private struct Handler: Sendable {
    var take: @Sendable (Level, String) -> Void
  }

  private static let current = Locked(Handler(take: standardError))

  /// What is done with a message; at first it is a line on standard error, debug left out.
  public static var handler: @Sendable (Level, String) -> Void {
    get { current.withLock { $0 }.take }
    set { current.withLock { $0 = Handler(take: newValue) } }
  }

  /// Gives a message to the handler.
  public static func log(_ level: Level, _ text: String) { handler(level, text) }

  /// Writes a message as a line on standard error; one that is not read there at once is left out and counted, and
  /// nobody waits for it.
  @Sendable
  public static func standardError(_ level: Level, _ text: String) {
    guard level > .debug else { return }
    ConsoleWriter.error.say(text + "\n")
  }
}

/// Writes the whole text, or as much as the descriptor takes.
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
