import MoCore
import MoOrchestra

/// The shared clock of a session's tape as a function of the tape's time.
///
/// The function consists of straight lines: each clock entry of the tape begins a new line, with the entry's rate.
///
/// When the tape changes to another clock, such as another room's, the times of that clock are shifted so that the time
/// does not jump.
struct SongClock {
  private struct Line {
    /// The tape's time at which the line begins, in nanoseconds.
    var tape: Int64
    var shared: SessionTime
    var rate: Double
  }

  private var lines: [Line] = []
  /// The nanoseconds that are added to the times of the tape's current clock, so that they continue the times of the
  /// previous clock.
  private(set) var shift: Int64 = 0

  /// The largest jump between two clock entries of the same clock, in nanoseconds; a larger jump means another clock.
  private static let jump = 10_000_000

  /// Whether `follow` has added a line.
  var hasStarted: Bool { !lines.isEmpty }

  /// Adds a line for the next clock entry of the tape.
  ///
  /// - Parameters:
  ///   - line: the entry: a shared time, and the rate of the shared clock.
  ///   - tape: the entry's time on the tape, in nanoseconds.
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

  /// Returns the shared time at the time `tape` on the tape, in nanoseconds; without a clock entry, `tape` itself.
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
