import CMoSystem

/// Catches what an audio callback may not do: allocate, lock, wait, or ask the system for anything.
///
/// The audio loop calls `enter()` just before the user's callback and `leave()` just after. Until `install(_:)`
/// both only test a flag. Run the callback once on a silent block before the check begins: what a first call
/// makes once and for all (metadata, lazy statics) is no offence.
public enum RealTimeCheck {
  /// Says that the user's callback begins on this thread.
  ///
  /// - Thread: the audio thread.
  /// - Real-time safe: yes.
  @inlinable @inline(__always)
  public static func enter() { momu_rt_enter() }

  /// Says that the user's callback has returned.
  ///
  /// - Thread: the audio thread.
  /// - Real-time safe: yes.
  @inlinable @inline(__always)
  public static func leave() { momu_rt_leave() }

  /// Says that a lock is about to be taken by code that makes no library call for it.
  ///
  /// - Parameter call: How the report names it, such as "MoMutex.withLock".
  /// - Thread: any.
  /// - Real-time safe: yes.
  @inlinable @inline(__always)
  public static func notifyLock(_ call: StaticString) {
    call.utf8Start.withMemoryRebound(to: CChar.self, capacity: call.utf8CodeUnitCount) { momu_rt_notify($0) }
  }
}
