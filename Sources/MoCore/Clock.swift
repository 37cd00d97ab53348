/// Where the package gets its time from: the machine, a test's hand, or the frames of an offline render.
///
/// Named apart from Swift's `Clock`, whose `sleep` is `async`: nothing here may suspend.
public protocol TimeSource: Sendable {
  /// The moment it is now.
  ///
  /// - Thread: any.
  /// - Real-time safe: yes, but for a clock reading in the audio callback prefer the block's own time.
  var now: HostTime { get }

  /// Returns once `time` has come; at once if it has passed.
  ///
  /// - Thread: any but the audio thread's callback: it blocks.
  func sleep(until time: HostTime)
}
