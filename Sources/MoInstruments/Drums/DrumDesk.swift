import Glibc
import MoMu
import MoTime

/// The terminal as a drum machine's face: the grid with its moving playhead, and keys to play it with.
///
/// `DrumKeys` says what the keys do; two lines under the grid say it too.
public enum DrumDesk {
  /// Shows a board above the meter, and takes keys where there is a terminal.
  ///
  /// - Thread: the main thread, in the set-up.
  public static func open(_ board: DrumBoard) {
    let run = Run.current
    let keys = Guarded(DrumKeys(board))
    run.picture.withLock {
      $0 = { [clock = run.clock] in
        let cursor = keys.withLock { $0.cursor }
        return DrumPicture(board: board, cursor: cursor, playhead: playhead(board, at: clock.now)).text + "\n"
      }
    }
    guard !run.isOffline, KeyboardTerminal.open() else { return }
    try? run.input.add(KeyReader { byte in keys.withLock { $0.take(byte) } }) { _ in }
  }

  /// The slot that is heard now; what was handed to the card but is still on its way is not.
  static func playhead(_ board: DrumBoard, at now: HostTime) -> (pattern: Int, step: Int)? {
    guard board.rhythm.state != .stopped, let tick = board.ticks.last else { return nil }
    return tick.time <= now ? (tick.pattern, tick.step) : board.place(ofStep: max(0, tick.index - 1))
  }
}

/// Reads the terminal's keys, byte by byte.
final class KeyReader: InputSource {
  let name = "drum keys"
  var descriptor: Int32? { isOpen ? STDIN_FILENO : nil }
  let nextTime: HostTime? = nil
  private var isOpen = true
  private let take: @Sendable (UInt8) -> Void

  init(_ take: @escaping @Sendable (UInt8) -> Void) { self.take = take }

  func service(until now: HostTime) {
    var bytes = [UInt8](repeating: 0, count: 64)
    var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard isOpen, poll(&request, 1, 0) > 0 else { return }
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      isOpen = count < 0 && (errno == EINTR || errno == EAGAIN)
      return
    }
    for byte in bytes[..<count] { take(byte) }
  }
}
