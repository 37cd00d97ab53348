import MoCore
import MoRuntime

/// The functions that all sensors share, for callbacks and for polling.
///
/// ```swift
/// try MoGyro.addCallback { rotation in print(rotation.z) }
/// ```
///
/// A sensor starts at first use, with the source that its option names, or the best source available. Without a
/// device, a stand-in is read until a device appears. In a terminal, the keys are the stand-in of `MoButtons` and
/// `MoCompass`. In all other cases, the stand-in is a simulated player. `MoLocation` waits for `gpsd` instead.
///
/// - Thread: any but the audio callback, unless a member states otherwise.
public protocol SensorFace {
  /// The type of the sensor's readings.
  associatedtype Reading: SensorReading

  /// The server that opens the sensor, and delivers its readings to callbacks.
  static var server: SensorServer<Reading> { get }
}

extension SensorFace {
  /// Calls `callback` with every reading, at most once per `updateInterval`.
  ///
  /// Presses and releases of `MoButtons` are always passed on.
  ///
  /// - Returns: a token whose `cancel()` stops the calls.
  /// - Throws: `SensorError` if the source cannot be opened; `NetError` for the source `net`.
  /// - Thread: the callback runs on `mo-input`; in an offline run, on the main thread; for `update` and `stop()`, on
  ///   their caller's thread.
  @discardableResult
  public static func addCallback(_ callback: @escaping @Sendable (Reading) -> Void) throws -> MoToken {
    let token = server.callbacks.add(callback)
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
    server.sensorInput.events.add(callback)
  }

  /// Starts to read the sensor; needed only to choose a source, or to start again after `stop()`.
  ///
  /// The call does nothing while a source is read: to change the source, call `stop()` first.
  ///
  /// - Parameter source: the source, written as for the sensor's option; if the option is given, it overrides this
  ///   source. Nil for the best available.
  /// - Throws: `SensorError`, whose text says what to do; `NetError` for the source `net`.
  public static func start(source: String? = nil) throws { try server.start(source: source, in: .current) }

  /// Stops reading and closes the device; callbacks stay for the next start.
  ///
  /// Pressed buttons of `MoButtons` are released; the callbacks run on the calling thread.
  public static func stop() { server.stop() }

  /// The source that is read now, as the option names it; nil while stopped, and while a named device is missing.
  public static var source: String? { server.sensorInput.sourceName }

  /// The latest reading; all its values are from one moment.
  ///
  /// - Real-time safe: yes, after the sensor has been used outside the callback.
  public static var reading: Reading { server.latest.load() }

  /// The shortest time between two calls of a callback, in seconds: 0.01 … 1, or 0 for a call at every reading.
  ///
  /// Values above 0 are clamped; negative values and NaN count as 0. The interval also applies to sensors that are
  /// computed from this sensor: `MoOrientation` from `MoGyro`, `MoCompass` from `MoMagnet`.
  public static var updateInterval: Double {
    get { server.pace.interval }
    set { server.pace.interval = newValue }
  }

  /// Handles a reading that the program provides, as if a device had sent it.
  ///
  /// The values are not checked. The reading is also recorded on the tape.
  ///
  /// - Thread: any, but one at a time; the callbacks run on the calling thread.
  public static func update(_ reading: Reading) { server.receive(reading) }
}

/// A change of a sensor: a source is in use, a source is lost, or there is a report about the recording.
public enum SensorEvent: Sendable, Equatable {
  /// This source is read from now on.
  case using(name: String)
  /// This source disappeared or failed, with the reason.
  case lost(name: String, reason: String)
  /// Messages are missing in the recording (`--record-tape`), or it ended early, for this reason.
  ///
  /// The recorded part can be played. Only the input that opened the tape, the first that started, reports this event.
  case recordingEnded(reason: String)
}
