import MoCore
import MoRuntime

/// Fingers on a touch screen or touch pad.
///
/// Without such a device, the mouse is the finger while its button is pressed.
///
/// ```swift
/// try MoTouch.addCallback { change in
///   for finger in change.changed where finger.phase == .began {
///     MoTouch.attach(48 + 24 * finger.x, to: finger)  // its pitch, for the later changes of this finger
///   }
/// }
/// ```
///
/// The option `--touch` selects the source: `evdev:PATH`, `keys`, `net`, `sim:circle`, `sim:chord` or `tape:FILE`.
/// With `evdev:PATH?grab`, no other program gets the fingers. Use `evdev:PATH?rotate=90` if the device is mounted with
/// a quarter turn clockwise against the screen; 180 and 270 are also allowed.
///
/// - Thread: any but the audio callback, unless a member states otherwise.
public enum MoTouch {
  /// Calls `callback` when fingers come down, move or are lifted: once for all changes at the same moment.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `SensorError` if the source cannot be opened; `NetError` for the source `net`.
  /// - Thread: the callback runs on `mo-input`; in an offline run, on the main thread; for `update` and `stop()`, on
  ///   their caller's thread.
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

  /// Calls `callback` when a source is lost or found, and with each report about the recording to a tape.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Thread: the callback runs on `mo-input`, on `mo-disk`, or on the thread that starts or stops the sensor.
  @discardableResult
  public static func onEvent(_ callback: @escaping @Sendable (SensorEvent) -> Void) -> MoToken {
    TouchServer.shared.sensorInput.events.add(callback)
  }

  /// Starts to read; needed only to choose a source, or to start again after `stop()`.
  ///
  /// The call does nothing while a source is read: to change the source, call `stop()` first.
  ///
  /// - Parameter source: the source, written as for `--touch`; if the option is given, it overrides this source. Nil
  ///   for the best available.
  /// - Throws: `SensorError`, whose text says what to do; `NetError` for the source `net`.
  public static func start(source: String? = nil) throws {
    try TouchServer.shared.start(source: source, in: .current)
  }

  /// Stops reading and closes the device; callbacks stay for the next start.
  ///
  /// Fingers that are down end with the phase `cancelled`; the callbacks run on the calling thread.
  public static func stop() { TouchServer.shared.stop() }

  /// The source that is read now, as `--touch` names it; nil while stopped, and while a named device is missing.
  public static var source: String? { TouchServer.shared.sensorInput.sourceName }

  /// The fingers that are down now, in the order in which they came down.
  public static var fingers: [Touch] { TouchServer.shared.fingers }

  /// Attaches a value to a finger, in place of an earlier value; the value stays until after the finger's last event.
  ///
  /// The call does nothing if the finger is not down.
  public static func attach(_ value: some Sendable, to finger: Touch) {
    TouchServer.shared.attach(value, to: finger.id)
  }

  /// Returns the value that is attached to a finger, even in its last event; nil without a value of this type.
  public static func attached<Value: Sendable>(to finger: Touch, as type: Value.Type = Value.self) -> Value? {
    TouchServer.shared.attached(to: finger.id) as? Value
  }

  /// Handles a change of a finger that the program provides, as if a device had sent it.
  ///
  /// - Thread: any, but one at a time; the callbacks run on the calling thread.
  public static func update(_ touch: Touch) { TouchServer.shared.receive(touch) }
}

extension SensorKind<Touch> {
  /// The sensor of touches, whose source the option `--touch` names.
  package static let touch = SensorKind(
    option: "touch", noun: "a touch device", doctorWord: "touch", nature: .events,
    curves: .arguments([.init(place: 1, name: "x"), .init(place: 2, name: "y")]),
    rows: [
      EvdevTouch.row,
      KeyedSource.row("the terminal's keys: arrows move a finger", isFirst: true) { KeyedFinger() },
      HeldFingers.row, SimulatedTouch.row, TapeSource.row,
    ],
    standIn: standIn(
      missing: "touch device", does: "draws circles",
      keys: KeyedSource.standIn("the arrows move a finger, space lifts it", isFirst: true) { KeyedFinger() }
    ) { SimulatedTouch.circle.source($0) })
}

/// The changes of fingers at one moment.
public struct TouchChange: Equatable, Sendable {
  /// The time of the changes.
  public var time: HostTime
  /// The fingers that came down, moved or were lifted; lifted fingers come first.
  public var changed: [Touch]
  /// All fingers that are down after the changes, in the order in which they came down.
  public var fingers: [Touch]
}
