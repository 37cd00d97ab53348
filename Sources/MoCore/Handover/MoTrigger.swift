/// A queue of strikes for the audio callback: fired on any thread, due at an exact frame.
///
/// A strike that is fired for a moment in the past is due immediately. Strikes may be fired out of order, from several
/// threads. Up to 64 strikes wait until the audio thread calls `due`. In total, up to 128 strikes wait until they are
/// due. Further strikes are dropped, and counted in `dropped`.
///
/// - Thread: `fire` from any number of threads; `due` from one, the audio thread.
/// - Real-time safe: yes, except for `init`.
public final class MoTrigger: Sendable {
  @usableFromInline let strikes = MoSchedule<Float>(capacity: 64)

  /// Creates a trigger without strikes.
  public init() {}

  /// The number of strikes that were dropped because the queue was full.
  public var dropped: Int { strikes.dropped }

  /// Fires a strike; if the queue is full, counts the strike in `dropped` and returns false.
  ///
  /// - Parameters:
  ///   - force: the strength of the strike; 0 … 1 by convention. Infinity and NaN count as 0.
  ///   - time: when the strike must sound; by default, as soon as possible.
  @discardableResult
  public func fire(_ force: Float = 1, at time: HostTime = .distantPast) -> Bool {
    strikes.add(force.isFinite ? force : 0, at: time)
  }

  /// Removes the earliest strike that is due at or before `time`, and returns its force; nil if none is due.
  ///
  /// Call it once per frame.
  @inlinable
  public func due(at time: HostTime) -> Float? { strikes.due(at: time) }
}
