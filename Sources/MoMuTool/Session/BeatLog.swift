import CMoSystem
import Glibc
import MoCore
import MoMu
import MoOrchestra

/// A log of the beat and the true time, for the lab (Tests/Lab): every 10 ms a line `true_raw_ns beat host_ns`.
///
/// The true time is CLOCK_MONOTONIC_RAW, read by direct system calls before and after the beat; the line has the mean.
/// If the two times differ by more than 5 µs, both times and the beat are read again. A simulated clock of the program
/// does not affect these calls.
final class BeatLog: Sendable {
  private let file: Int32
  private let thread: MoThread

  private static let interval: Int64 = 10_000_000
  private static let widest: Int64 = 5_000

  /// - Throws: `ToolError.cannotWrite`.
  init(path: String) throws {
    // The reader of a pipe may be missing or may have stopped; the session must still be able to end.
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard file >= 0 else {
      let reason =
        errno == ENXIO ? "no program reads it yet, start its reader first" : String(cString: strerror(errno))
      throw ToolError.cannotWrite(path: path, reason: reason)
    }
    self.file = file
    thread = try MoThread(name: "mo-beats") { body in
      var next = momu_clock_true_ns()
      guard Self.write("# joined \(next)\n", to: file, body) else { return Self.tellEnd(of: path) }
      while !body.isCancelled {
        // Write immediately, so that a killed program leaves its lines up to then.
        if let line = Self.line(), !Self.write(line, to: file, body) { return Self.tellEnd(of: path) }
        next += Self.interval
        let left = next - momu_clock_true_ns()
        if left > 0 { body.sleep(for: .nanoseconds(left)) } else { next = momu_clock_true_ns() }
      }
    }
  }

  func close() {
    thread.cancel()
    thread.join()
    Glibc.close(file)
  }

  /// Returns the next line of the log; nil while there is no beat.
  ///
  /// The result is also nil if in 50 attempts the times before and after the beat differed by more than 5 µs.
  private static func line() -> String? {
    let clock = SystemClock()
    for _ in 0..<50 {
      let before = momu_clock_true_ns()
      let host = clock.now
      let beat = MoSession.beat.beat(at: host)
      let after = momu_clock_true_ns()
      guard after - before <= widest else { continue }
      guard let beat else { return nil }
      return "\(before + (after - before) / 2) \(beat) \(host.nanoseconds)\n"
    }
    return nil
  }

  /// Prints the reason why writing the log failed before the session ended, such as a full disk; reads the reason from
  /// `errno`.
  private static func tellEnd(of path: String) {
    printDiagnostic(
      "\(path) ends here: \(String(cString: strerror(errno))); to log all, name a file on a disk with room")
  }

  /// Writes a line to the file; if the file is a full pipe, waits until the pipe has room or the session ends.
  ///
  /// The result is false if writing failed, such as on a full disk; `errno` has the reason.
  private static func write(_ text: String, to file: Int32, _ body: MoThread.Body) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // If little space is left, a part of the line is written, without an error.
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 && errno == EAGAIN {
        if body.isCancelled { return true }
        var request = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        _ = poll(&request, 1, 100)
        continue
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
