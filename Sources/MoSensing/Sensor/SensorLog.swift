import MoCore
import MoRuntime

/// The log's lines about changes of a sensor's source, from a start of the sensor to the next stop.
///
/// In a program that waits for devices, such as a rig, the log has at most ten lines an hour: such a program runs for
/// months, and a loose contact would fill its journal. The log is an event source, since a summary of suppressed lines
/// is due at a time when the source may not change.
///
/// - Thread: `begin` and `end` on any thread; the others on the thread that services the inputs.
final class SensorLog: EventTimer, Sendable {
  let name = "sensor-log"
  private let clock: any TimeSource
  private let noticeLevel: MoLog.Level
  /// The limit of the lines; nil for no limit.
  private let limit: Locked<LogLineLimit>?
  private let log: @Sendable (MoLog.Level, String) -> Void

  /// - Parameter log: called with each line.
  init(_ run: Run, log: @escaping @Sendable (MoLog.Level, String) -> Void) {
    (clock, self.log) = (run.clock, log)
    noticeLevel = run.options.quiet ? .debug : .notice
    limit = run.waitsForDevices ? Locked(LogLineLimit()) : nil
  }

  /// Starts to log summaries.
  ///
  /// - Throws: `SensorError.noThread`.
  func begin(in run: Run) throws(SensorError) {
    guard limit != nil else { return }
    do {
      try run.input.add(self) { _ in }
    } catch {
      throw .noThread(reason: "\(error)")
    }
  }

  /// Ends the summaries.
  func end(in run: Run) { run.input.remove(self) }

  /// Logs a notice; with `--quiet`, only at the level `debug`.
  func notice(_ text: String, about source: String) { write(noticeLevel, text, source) }

  /// Logs a warning.
  func warn(_ text: String, about source: String) { write(.warning, text, source) }

  private func write(_ level: MoLog.Level, _ text: String, _ source: String) {
    guard let limit else { return log(level, text) }
    let line = limit.withLock { $0.line(level, text, about: source, now: clock.now) }
    if let line { log(line.0, line.1) }
  }

  var nextTime: HostTime? { limit?.withLock { $0.nextTime } }

  func service(until now: HostTime) {
    if let line = limit?.withLock({ $0.summary(now: now) }) { log(line.0, line.1) }
  }
}
