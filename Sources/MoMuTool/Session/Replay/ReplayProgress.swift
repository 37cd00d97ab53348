import MoCore
import MoOrchestra

/// The progress of a replay, and its peak level.
///
/// - Thread: the input loop's; `peak` any.
final class ReplayProgress: EventSource, @unchecked Sendable {
  // Unchecked: the loop services it one thread at a time; `loudest` is guarded.
  let name = "progress"
  let descriptor: Int32? = nil
  private(set) var nextTime: HostTime?
  private let handles: [InstrumentHandle]
  private let start: HostTime
  private let length: Double
  private let isShown: Bool
  private let loudest = Locked<Float>(0)
  private let first = Locked<HostTime?>(nil)
  private var shown: HostTime?

  /// Seconds of the tape between two polls of the progress.
  private static let pause = 0.1
  /// Seconds of real time between two drawings of the progress.
  private static let rest = 0.2
  /// The peak below which sound counts as silence: -100 dB.
  private static let silence: Float = 1e-5

  /// - Parameters:
  ///   - length: of the tape, in seconds.
  ///   - isShown: whether a row at the terminal shows the progress.
  init(_ handles: [InstrumentHandle], start: HostTime, length: Double, isShown: Bool) {
    (self.handles, self.start, self.length, self.isShown) = (handles, start, length, isShown)
    nextTime = start
  }

  func service(until now: HostTime) {
    guard let time = nextTime, time <= now else { return }
    // A rendering ends as soon as no input has anything to do.
    nextTime = now.seconds(since: start) < length ? now.advanced(bySeconds: Self.pause) : nil
    look(at: now)
    let here = SystemClock().now
    guard isShown, shown.map({ here.seconds(since: $0) >= Self.rest }) ?? true else { return }
    shown = here
    TerminalLine.draw([ScreenBlock([ScreenLine(text(at: now))], priority: ScreenBlock.Priority.own)])
  }

  private func look(at now: HostTime? = nil) {
    let peak = handles.map { $0.takePeak() }.max() ?? 0
    loudest.withLock { $0 = max($0, peak) }
    if let now, peak > Self.silence { first.withLock { $0 = $0 ?? now } }
  }

  /// The seconds of the tape before the first sound, to a tenth; 0 if nothing has sounded yet.
  var silenceBefore: Double {
    first.withLock { $0.map { max(0, $0.seconds(since: start) - Self.pause) } ?? 0 }
  }

  /// Returns text such as `0:12 of 3:15.5, 6 %`.
  func text(at now: HostTime) -> String {
    let seconds = max(0, min(now.seconds(since: start), length))
    let part = length > 0 ? Int((100 * seconds / length).rounded(.down)) : 100
    return
      "\(RecordingSummary.duration(seconds.rounded(.down))) of \(RecordingSummary.duration(length)), \(part) %"
  }

  /// The loudest sample of all instruments so far, 1 for full scale; nil for silence.
  var peak: Float? {
    look()
    let peak = loudest.withLock { $0 }
    return peak > Self.silence ? peak : nil
  }
}
