import Glibc
import Testing

/// A board on a serial line: the other end of a pseudo-terminal.
final class SerialBoard {
  let path: String
  private var board: Int32

  init() throws {
    board = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK)
    // The header declares these functions for GNU programs only.
    typealias Call = @convention(c) (Int32) -> Int32
    typealias Name = @convention(c) (Int32) -> UnsafePointer<CChar>?
    let unlock = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "unlockpt"))
    let name = try #require(dlsym(UnsafeMutableRawPointer(bitPattern: 0), "ptsname"))
    try #require(board >= 0 && unsafeBitCast(unlock, to: Call.self)(board) == 0)
    path = String(cString: try #require(unsafeBitCast(name, to: Name.self)(board)))
  }

  /// Sends a text; bytes that do not fit into the line's buffer are lost, as on a real line.
  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(board, bytes, bytes.count)
  }

  deinit { close(board) }
}

/// Repeats an action until it has had an effect; returns false if it never had.
func until(_ isSo: () -> Bool, doing: () -> Void = {}) -> Bool {
  for _ in 0..<2000 {
    if isSo() { return true }
    doing()
    usleep(5000)
  }
  return false
}
