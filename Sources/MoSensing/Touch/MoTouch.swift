import MoCore
import MoRuntime

/// Fingers on a touch screen or touch pad; without one a mouse, which touches while its button is down.
///
/// ```swift
/// try MoTouch.addCallback { change in
///   for finger in change.changed where finger.phase == .began {
///     MoTouch.attach(harp.pluck(finger.x), to: finger)
///   }
/// }
/// ```
///
/// Its option is `--touch`: `evdev:PATH`, and after it `?grab`, so that no other program gets the fingers, or
/// `?rotate=90`, where what is seen is turned clockwise against the device; `keys`, `net`, `sim:circle`, `sim:chord` or
/// `tape:FILE`.
///
/// - Thread: any but the audio callback, except where a member says otherwise.
public enum MoTouch {
  /// Calls `callback` whenever fingers came down, moved or were lifted: all of one moment at once.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `SensorError` where the source cannot be opened.
  /// - Thread: the callback runs on the `mo-input` thread.
  @discardableResult
  public static func addCallback(_ callback: @escaping @Sendable (TouchChange) -> Void) throws -> MoToken {
    let token = TouchServer.shared.callbacks.add(callback)
    do {
      try start()
    } catch {
      token.cancel()
      throw error
    }
    return token
  }

  /// Calls `callback` when a source is lost or found, or a tape can be recorded no more.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (SensorEvent) -> Void) -> MoToken {
    TouchServer.shared.intake.events.add(callback)
  }

  /// Starts to read; needed only to name a source, or to start again after `stop()`.
  ///
  /// - Parameter source: as `--touch` names it, which overrides it; nil for the best there is.
  /// - Throws: `SensorError`, whose text says what to do.
  public static func start(source: String? = nil) throws {
    try TouchServer.shared.start(source: source, in: .current)
  }

  /// Stops to read and lets go of the device; callbacks stay for the next start.
  public static func stop() { TouchServer.shared.stop() }

  /// What is read now, as `--touch` names it; nil while stopped.
  public static var source: String? { TouchServer.shared.intake.sourceName }

  /// The fingers that are down now, in the order in which they came.
  public static var fingers: [Touch] { TouchServer.shared.fingers }

  /// Attaches something to a finger, in place of what was attached: it stays until the finger's last event is over.
  ///
  /// Nothing where the finger is not there.
  public static func attach(_ value: some Sendable, to finger: Touch) {
    TouchServer.shared.attach(value, to: finger.id)
  }

  /// What is attached to a finger, in its last event too; nil for nothing, or of another type.
  public static func attached<Value: Sendable>(to finger: Touch, as type: Value.Type = Value.self) -> Value? {
    TouchServer.shared.attached(to: finger.id) as? Value
  }

  /// Takes in a finger's change made elsewhere, as if a device had sent it.
  ///
  /// - Thread: one at a time.
  public static func update(_ touch: Touch) { TouchServer.shared.take(touch) }
}

/// What happened to fingers in one moment.
public struct TouchChange: Equatable, Sendable {
  /// When.
  public var time: HostTime
  /// The fingers that came down, moved or were lifted; those lifted first.
  public var changed: [Touch]
  /// All that are down after it, in the order in which they came.
  public var fingers: [Touch]
}
