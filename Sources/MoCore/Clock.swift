/// A source of time for the package: the machine, a test, or the frames of an offline render.
///
/// It is not called `Clock`, since the `sleep` of Swift's `Clock` is `async`, and MoMu has no `async` code.
public protocol TimeSource: Sendable {
  /// The present moment.
  ///
  /// - Thread: any.
  /// - Real-time safe: yes. In the audio callback, prefer the block's own time.
  var now: HostTime { get }

  /// Waits until `time`; returns immediately if `time` has passed.
  ///
  /// - Thread: any but the audio thread's callback: it blocks.
  func sleep(until time: HostTime)
}
