import CMoSystem

/// A check that an audio callback does not allocate memory, lock, wait or call the system.
///
/// The audio loop calls `enter()` just before the user's callback and `leave()` just after it. Until `install(_:)` is
/// called, both functions only test a flag. Run the callback once on a silent block before the check begins. In the
/// first call, Swift allocates memory for its types and static values, which is no violation.
public enum RealTimeCheck {
  /// Reports that the user's callback begins on this thread.
  ///
  /// - Thread: the audio thread.
  /// - Real-time safe: yes.
  @inlinable @inline(__always)
  public static func enter() { momu_rt_enter() }

  /// Reports that the user's callback has returned.
  ///
  /// - Thread: the audio thread.
  /// - Real-time safe: yes.
  @inlinable @inline(__always)
  public static func leave() { momu_rt_leave() }

  /// Whether the user's callback runs on this thread; also correct if the check is not installed.
  ///
  /// - Thread: any.
  /// - Real-time safe: yes.
  @inlinable @inline(__always)
  public static var isInCallback: Bool { momu_rt_inside() }

  /// Runs code that may allocate and wait, such as offline rendering; the check does not report such calls.
  ///
  /// - Parameter body: the code, which runs once, on this thread; then the thread is checked as before.
  /// - Thread: any.
  @inlinable
  package static func exempt(_ body: () -> Void) {
    let wasInCallback = isInCallback
    leave()
    body()
    if wasInCallback { enter() }
  }

  /// Reports that code is about to take a lock.
  ///
  /// The check itself cannot see a lock that is taken without a library call.
  ///
  /// - Parameter call: the name in the report, such as "MoMutex.withLock".
  /// - Thread: any.
  /// - Real-time safe: yes.
  @inlinable @inline(__always)
  public static func notifyLock(_ call: StaticString) {
    call.utf8Start.withMemoryRebound(to: CChar.self, capacity: call.utf8CodeUnitCount) { momu_rt_notify($0) }
  }
}
