import MoCore
import MoOrchestra

/// The shared clock on a session's tape: straight lines, without a jump at the time at which the tape changes to
/// another clock.
struct SongClock {
  private struct Line {
    /// The tape's time, in nanoseconds.
    var tape: Int64
    var shared: SessionTime
    var rate: Double
  }

  private var lines: [Line] = []
  /// The nanoseconds to add to the current clock's times, so that they continue those of the clock before.
  private(set) var shift: Int64 = 0

  /// The largest jump within one clock, in nanoseconds; a larger jump means another clock, such as another room's.
  private static let jump = 10_000_000

  /// Whether a line was added.
  var hasStarted: Bool { !lines.isEmpty }

  /// Adds the next line of the tape.
  mutating func follow(_ line: SessionTapeClock, at tape: Int64) {
    var shared = SessionTime(nanoseconds: line.shared.nanoseconds &+ shift)
    if hasStarted {
      let due = time(at: tape)
      let off = due.nanoseconds &- shared.nanoseconds
      if off.magnitude > Self.jump.magnitude {
        shift &+= off
        shared = due
      }
    }
    lines.append(Line(tape: tape, shared: shared, rate: line.rate))
  }

  /// Returns the shared time at `tape`, the tape's time in nanoseconds; without any line, the tape's time itself.
  func time(at tape: Int64) -> SessionTime {
    guard let first = lines.first else { return SessionTime(nanoseconds: tape) }
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].tape <= tape { low = middle + 1 } else { high = middle }
    }
    let line = low > 0 ? lines[low - 1] : first
    let passed = tape &- line.tape
    return SessionTime(
      nanoseconds: line.shared.nanoseconds &+ passed &+ Int64((Double(passed) * line.rate).rounded()))
  }
}
