import MoCore
import MoInstruments
import MoOrchestra

extension MoRoom {
  /// Tells the room how lively one plays, ten times a second: by the level of instruments, as it is heard.
  ///
  /// - Parameter handles: what is played at the moment; left out, all that `MoAudio.play` plays.
  /// - Throws: where there is no thread.
  public static func tellActivity(
    of handles: @escaping @Sendable () -> [InstrumentHandle] = { MoAudio.instruments }
  ) throws {
    let run = Run.current
    try run.input.add(ActivityReporter(handles, from: run.clock.now)) { _ in }
  }

  /// Whether movement was asked for, with `--accel` or `MOMU_ACCEL`: otherwise a simulated player would move what one
  /// plays on the keys.
  public static var isMoved: Bool { Run.current.options.accel != nil }
}

/// Makes a level out of what is heard: at once up, and down within a second or two.
final class ActivityReporter: EventSource {
  let name = "activity"
  let descriptor: Int32? = nil
  // An end that others have found is not put off by it.
  let isFinite = true
  private(set) var nextTime: HostTime?
  private let handles: @Sendable () -> [InstrumentHandle]
  private var level: Float = 0

  private static let pause = 0.1
  /// What is left of a level after a pause: a third after a second.
  private static let decay: Float = 0.9
  /// A sample as high as this is as lively as can be.
  private static let loud: Float = 0.4

  init(_ handles: @escaping @Sendable () -> [InstrumentHandle], from now: HostTime) {
    self.handles = handles
    nextTime = now
  }

  func service(until now: HostTime) {
    guard let time = nextTime, time <= now else { return }
    nextTime = now.advanced(bySeconds: Self.pause)
    let peak = handles().map { $0.takePeak() }.max() ?? 0
    let before = level
    level = max(level * Self.decay, min(1, peak / Self.loud))
    if level < 0.01 { level = 0 }
    // Who does not move and never has is not one of those whose mean is taken.
    if level > 0 || before > 0 { MoSession.setActivity(level) }
  }
}
