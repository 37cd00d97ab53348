import MoCore
import MoOrchestra

/// The progress of a replay of a tape, and the peak level of the sound so far.
///
/// - Thread: `mo-input` or, offline, the renderer's thread; `text(at:)`, `silenceBefore` and `peak`: any.
final class ReplayProgress: EventTimer, @unchecked Sendable {
  // Unchecked: the loop services it one thread at a time; `loudest` is guarded.
  let name = "progress"
  let isFinite = true
  private(set) var nextTime: HostTime?
  private let handles: [InstrumentHandle]
  private let start: HostTime
  private let length: Double
  private let isShown: Bool
  private let loudest = Locked<Float>(0)
  private let first = Locked<HostTime?>(nil)
  private var shown: HostTime?

  /// The interval between two polls of the progress, in seconds of the tape.
  private static let pause = 0.1
  /// The shortest interval between two drawings of the progress at the terminal, in seconds of real time.
  private static let rest = 0.2
  /// The largest peak that still counts as silence: -100 dBFS.
  private static let silence: Float = 1e-5

  /// - Parameters:
  ///   - start: the host time at which the tape starts to play.
  ///   - length: the length of the tape, in seconds.
  ///   - isShown: whether a row at the terminal shows the progress.
  init(_ handles: [InstrumentHandle], start: HostTime, length: Double, isShown: Bool) {
    (self.handles, self.start, self.length, self.isShown) = (handles, start, length, isShown)
    nextTime = start
  }

  func service(until now: HostTime) {
    guard isDue(at: now) else { return }
    // A rendering lasts at least as long as the tape.
    nextTime = now.seconds(since: start) < length ? now.advanced(bySeconds: Self.pause) : nil
    measure(at: now)
    let here = SystemClock().now
    guard isShown, shown.map({ here.seconds(since: $0) >= Self.rest }) ?? true else { return }
    shown = here
    TerminalLine.draw([ScreenBlock([ScreenLine(text(at: now))], priority: ScreenBlock.Priority.own)])
  }

  private func measure(at now: HostTime? = nil) {
    let peak = handles.map { $0.takePeak() }.max() ?? 0
    loudest.withLock { $0 = max($0, peak) }
    if let now, peak > Self.silence { first.withLock { $0 = $0 ?? now } }
  }

  /// The length of the silence at the start of the tape in seconds, exact to 0.1 s; 0 if nothing has sounded yet.
  var silenceBefore: Double {
    first.withLock { $0.map { max(0, $0.seconds(since: start) - Self.pause) } ?? 0 }
  }

  /// Returns the progress as text such as `0:12 of 3:15.5, 6 %`: the time played, the tape's length, and the percentage
  /// played.
  func text(at now: HostTime) -> String {
    let seconds = max(0, min(now.seconds(since: start), length))
    let part = length > 0 ? Int((100 * seconds / length).rounded(.down)) : 100
    return
      "\(RecordingSummary.duration(seconds.rounded(.down))) of \(RecordingSummary.duration(length)), \(part) %"
  }

  /// The largest magnitude of a sample of any instrument so far, where 1 is full scale; nil if all instruments were
  /// silent.
  var peak: Float? {
    measure()
    let peak = loudest.withLock { $0 }
    return peak > Self.silence ? peak : nil
  }
}
