/// Strikes on their way to the audio callback: fired anywhere, due at an exact frame.
///
/// Fired for a moment that has passed, a strike is due at once. Strikes may be fired out of order, from
/// several threads; up to 64 wait, and more are counted in `dropped`.
///
/// - Thread: `fire` from any number of threads; `due` from one, the audio thread.
/// - Real-time safe: yes, but for `init`.
public final class MoTrigger: Sendable {
  @usableFromInline let strikes = MoSchedule<Float>(capacity: 64)

  /// A trigger with nothing fired.
  public init() {}

  /// How many strikes found no room.
  public var dropped: Int { strikes.dropped }

  /// Fires a strike; false, and counted in `dropped`, where too many wait.
  ///
  /// - Parameters:
  ///   - force: how hard; 0 … 1 by custom. Anything but a finite number counts as 0.
  ///   - time: when it should sound; left out, as soon as it can.
  @discardableResult
  public func fire(_ force: Float = 1, at time: HostTime = .distantPast) -> Bool {
    strikes.add(force.isFinite ? force : 0, at: time)
  }

  /// The force of a strike due by a moment, the earliest first; nil where none is.
  ///
  /// Ask once a frame.
  @inlinable
  public func due(at time: HostTime) -> Float? { strikes.due(at: time) }
}
