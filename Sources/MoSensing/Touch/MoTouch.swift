import MoCore
import MoRuntime

/// Fingers on a touch screen or touch pad; without one, a mouse that touches while its button is down.
///
/// ```swift
/// try MoTouch.addCallback { change in
///   for finger in change.changed where finger.phase == .began {
///     MoTouch.attach(48 + 24 * finger.x, to: finger)  // its pitch, for the later changes of this finger
///   }
/// }
/// ```
///
/// Its option is `--touch`: `evdev:PATH`, optionally with `?grab`, so that no other program gets the fingers, or with
/// `?rotate=90`, if the picture is rotated clockwise relative to the device. The other sources are `keys`, `net`,
/// `sim:circle`, `sim:chord` and `tape:FILE`.
///
/// - Thread: any but the audio callback, unless a member states otherwise.
public enum MoTouch {
  /// Calls `callback` when fingers come down, move or are lifted: once for all changes of a moment.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `SensorError` if the source cannot be opened.
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

  /// Calls `callback` when a source is lost or found, or when recording to a tape fails.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (SensorEvent) -> Void) -> MoToken {
    TouchServer.shared.intake.events.add(callback)
  }

  /// Starts to read; needed only to choose a source, or to start again after `stop()`.
  ///
  /// - Parameter source: the source, written as for `--touch`; if the option is given, it overrides this source. Nil
  ///   for the best available.
  /// - Throws: `SensorError`, whose text tells what to do.
  public static func start(source: String? = nil) throws {
    try TouchServer.shared.start(source: source, in: .current)
  }

  /// Stops reading and closes the device; callbacks stay for the next start.
  public static func stop() { TouchServer.shared.stop() }

  /// The source that is read now, as `--touch` names it; nil while stopped.
  public static var source: String? { TouchServer.shared.intake.sourceName }

  /// The fingers that are down now, in the order in which they came down.
  public static var fingers: [Touch] { TouchServer.shared.fingers }

  /// Attaches a value to a finger, in place of an earlier value; it stays until after the finger's last event.
  ///
  /// The call does nothing if the finger is not down.
  public static func attach(_ value: some Sendable, to finger: Touch) {
    TouchServer.shared.attach(value, to: finger.id)
  }

  /// Returns a finger's attached value, even in the finger's last event; nil without a value of this type.
  public static func attached<Value: Sendable>(to finger: Touch, as type: Value.Type = Value.self) -> Value? {
    TouchServer.shared.attached(to: finger.id) as? Value
  }

  /// Handles a change of a finger from the program, as if a device had sent it.
  ///
  /// - Thread: one at a time.
  public static func update(_ touch: Touch) { TouchServer.shared.take(touch) }
}

/// The changes of fingers in a moment.
public struct TouchChange: Equatable, Sendable {
  /// The time of the changes.
  public var time: HostTime
  /// The fingers that came down, moved or were lifted; the lifted ones first.
  public var changed: [Touch]
  /// All fingers that are down afterwards, in the order in which they came down.
  public var fingers: [Touch]
}
