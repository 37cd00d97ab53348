import MoCore
import MoInstruments
import MoOrchestra

/// An event source that reports this member's activity to the room; the activity follows the level of instruments.
///
/// The activity rises immediately with the level. After a loud sound, the activity falls to a third within a second.
final class ActivityReporter: EventTimer {
  let name = "activity"
  private(set) var nextTime: HostTime?
  private let handles: @Sendable () -> [InstrumentHandle]
  private var level: Float = 0

  /// The time between two reports of the activity, in seconds.
  private static let pause = 0.1
  /// The factor by which the activity falls in 0.1 s after a loud sound; in a second, the activity falls to a third.
  private static let decay: Float = 0.9
  /// The lowest peak of an instrument's sound at which the activity is 1; a peak of 1 is full scale.
  private static let loud: Float = 0.4

  init(_ handles: @escaping @Sendable () -> [InstrumentHandle], from now: HostTime) {
    self.handles = handles
    nextTime = now
  }

  func service(until now: HostTime) {
    guard isDue(at: now) else { return }
    nextTime = now.advanced(bySeconds: Self.pause)
    let peak = handles().map { $0.takePeak() }.max() ?? 0
    let before = level
    level = max(level * Self.decay, min(1, peak / Self.loud))
    if level < 0.01 { level = 0 }
    // A member that has never moved must not count in the mean.
    if level > 0 || before > 0 { MoSession.setActivity(level) }
  }
}

extension MoRoom {
  /// Starts to report your activity to the room ten times a second; the activity follows the level of your instruments.
  ///
  /// Until an instrument of yours has sounded, MoMu reports nothing.
  ///
  /// - Parameter handles: a function that returns your current instruments; by default, all instruments that
  ///   `MoAudio.play` plays.
  /// - Throws: an error if no thread can be started.
  public static func tellActivity(
    of handles: @escaping @Sendable () -> [InstrumentHandle] = { MoAudio.instruments }
  ) throws {
    let run = Run.current
    try run.input.add(ActivityReporter(handles, from: run.clock.now)) { _ in }
  }

  /// Whether the user selected a source of movement, by `--accel` or `MOMU_ACCEL`.
  ///
  /// Check this value before you let movement play an instrument. If the user selected no source and the machine has no
  /// accelerometer, MoMu simulates movement, which would also play an instrument that the user plays by keys.
  public static var isMoved: Bool { Run.current.options.accel != nil }
}
